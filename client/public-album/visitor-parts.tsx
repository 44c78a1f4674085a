import type { Image } from '../../server/contract.ts';
import { savedName } from '../image/preview/download/download.ts';
import { DownloadLink, type DownloadLook } from '../image/preview/download/download-link.tsx';
import type { PreviewParts } from '../image/preview/preview-parts.ts';
import { isSingleKey } from '../lib/keyboard.ts';
import { SlideshowButton } from './slideshow.tsx';
import styles from './visitor-parts.module.css';

function Download({ image, look }: { image: Image; look: DownloadLook }) {
  return <DownloadLink href={image.url} filename={savedName(image)} look={look} isElsewhere />;
}

function Details({ image }: { image: Image }) {
  if (image.description === '') return null;
  return (
    <p className={styles.description} dir="auto">
      {image.description}
    </p>
  );
}

/** What the overlay offers to a visitor. Single keys are off: the page has no switch for them (WCAG 2.1.4). */
const visitorParts: PreviewParts = { Download, Actions: SlideshowButton, Details, ignoresKey: isSingleKey };

const Nothing = () => null;

/** What the page says about its share. */
interface Share {
  readonly canSave: boolean;
  /** Its images open only after the password. */
  readonly isProtected: boolean;
}

export const partsFor = ({ canSave, isProtected }: Share): PreviewParts => ({
  ...visitorParts,
  ...(canSave ? {} : { Download: Nothing }),
  ...(isProtected ? { hasPrivateLinks: true } : {}),
});
