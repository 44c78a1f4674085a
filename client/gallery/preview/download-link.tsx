import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import { texts } from '../../text/gallery.ts';
import { buttonClass } from '../../ui/button.tsx';
import { showError } from '../../ui/toast.tsx';
import { isSameOrigin, saveFromAfar } from './download.ts';
import styles from './download-link.module.css';

interface DownloadLinkProps {
  image: Image;
  look: 'icon' | 'button' | 'action';
}

/** The original under its own name. */
export function DownloadLink({ image, look }: DownloadLinkProps) {
  const { download, downloadFailed } = texts.preview;
  const save = (event: MouseEvent): void => {
    if (isSameOrigin(image.url, location.origin)) return;
    event.preventDefault();
    saveFromAfar(image.url, image.filename).catch(() => showError(downloadFailed));
  };
  const isIcon = look === 'icon';
  return (
    <a
      href={image.url}
      download={image.filename}
      className={look === 'button' ? buttonClass({ variant: 'quiet' }) : isIcon ? styles.icon : undefined}
      aria-label={isIcon ? download : undefined}
      title={isIcon ? download : undefined}
      onClick={save}
    >
      <Download />
      {isIcon ? null : download}
    </a>
  );
}
