import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import { preview } from '../../../text/words.ts';
import { buttonClass } from '../../../ui/buttons/button.tsx';
import styles from './download-link.module.css';

/** `text`: within a sentence, for an image whose link does not serve the original. */
export type DownloadLook = 'icon' | 'button' | 'action' | 'text';

interface DownloadLinkProps {
  href: string;
  filename: string;
  look: DownloadLook;
  /** Whether the link may lead to another origin, where browsers ignore `download` and would leave the page. */
  isElsewhere?: boolean;
  onClick?: (event: MouseEvent) => void;
}

const classes = { icon: styles.icon, button: buttonClass({ variant: 'quiet' }), action: undefined, text: styles.text };

/** A link that saves a file under its filename. */
export function DownloadLink({ href, filename, look, isElsewhere = false, onClick }: DownloadLinkProps) {
  const { download, downloadOriginal } = preview;
  const isIcon = look === 'icon';
  return (
    <a
      href={href}
      download={filename}
      target={isElsewhere ? '_blank' : undefined}
      rel={isElsewhere ? 'noopener' : undefined}
      className={classes[look]}
      aria-label={isIcon ? download : undefined}
      title={isIcon ? download : undefined}
      onClick={onClick}
    >
      {look === 'text' ? null : <Download />}
      {look === 'text' ? downloadOriginal : isIcon ? null : download}
    </a>
  );
}
