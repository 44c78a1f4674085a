import type { Image } from '../../server/contract.ts';
import { DownloadLink, type DownloadLook } from '../image/preview/download-link.tsx';
import type { PreviewParts } from '../image/preview/preview-parts.ts';
import styles from './visitor-parts.module.css';

/** Saves the original, or the screen rendition where the link does not share the original. */
function Download({ image, look }: { image: Image; look: DownloadLook }) {
  const isWithheld = image.location === 'withheld';
  const filename = isWithheld ? image.filename.replace(/(\.[^.]*)?$/, '.webp') : image.filename;
  return <DownloadLink href={isWithheld ? image.screen_url : image.url} filename={filename} look={look} />;
}

function Details({ image }: { image: Image }) {
  if (image.description === '') return null;
  return (
    <p className={styles.description} dir="auto">
      {image.description}
    </p>
  );
}

/** What the overlay offers to a visitor. */
export const visitorParts: PreviewParts = { Download, Details, ignoresKey: () => false };
