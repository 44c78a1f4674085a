import { TimerOff } from 'lucide-react';
import { preview } from '../../text/words.ts';
import styles from '../card/picture-notice.module.css';

/** Replaces an expired picture in the overlay. */
export function ExpiredNotice() {
  const { title, text } = preview.expiry.gone;
  return (
    <div className={styles.notice} role="status" data-inside>
      <TimerOff />
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
  );
}
