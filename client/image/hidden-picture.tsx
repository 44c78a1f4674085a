import { EyeOff } from 'lucide-react';
import type { Image } from '../../server/contract.ts';
import { preview as texts } from '../text/words.ts';
import { altOf } from './facts.ts';
import styles from './picture-notice.module.css';

/** Replaces a picture whose links the administrator has closed: they would not load. */
export function HiddenMark({ image }: { image: Image }) {
  return (
    <span className={styles.mark}>
      <EyeOff />
      <span className="visually-hidden">{altOf(image)}</span>
      <span>{texts.hidden.card}</span>
    </span>
  );
}

/** Explains to the owner that the picture is hidden, and why. */
export function HiddenNotice({ hidden }: { hidden: NonNullable<Image['hidden']> }) {
  const { title, text, legal, reason } = texts.hidden;
  return (
    <div className={styles.notice} data-inside>
      <EyeOff />
      <h3>{title}</h3>
      <p>{text}</p>
      {hidden.legal ? <p>{legal}</p> : null}
      {hidden.reason === null ? null : (
        <p>
          {reason} <bdi>{hidden.reason}</bdi>
        </p>
      )}
    </div>
  );
}
