import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { fetchOriginal, originalUrl } from '../../api/images.ts';
import { preview } from '../../text/words.ts';
import { buttonClass } from '../../ui/button.tsx';
import { showError } from '../../ui/toast.ts';
import { saveBytes, sendsLogin } from './download.ts';
import styles from './download-link.module.css';

interface DownloadLinkProps {
  image: Image;
  /** `text`: within a sentence, for an image whose link does not serve the original. */
  look: 'icon' | 'button' | 'action' | 'text';
}

const classes = { icon: styles.icon, button: buttonClass({ variant: 'quiet' }), action: undefined, text: styles.text };

/** Downloads the untouched original under its filename, for its owner. */
export function DownloadLink({ image, look }: DownloadLinkProps) {
  const { download, downloadOriginal, downloadFailed } = preview;
  const url = originalUrl(image.id);
  const save = (event: MouseEvent): void => {
    if (sendsLogin(url, image.url)) return;
    event.preventDefault();
    fetchOriginal(image.id)
      .then((bytes) => saveBytes(bytes, image.filename))
      .catch((error) => showError(downloadFailed, reasonOf(error)));
  };
  const isIcon = look === 'icon';
  return (
    <a
      href={url}
      download={image.filename}
      className={classes[look]}
      aria-label={isIcon ? download : undefined}
      title={isIcon ? download : undefined}
      onClick={save}
    >
      {look === 'text' ? null : <Download />}
      {look === 'text' ? downloadOriginal : isIcon ? null : download}
    </a>
  );
}
