import { X } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { separator } from '../text/texts.ts';
import { texts } from '../text/upload.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { Receipt } from './send/receipt.ts';
import styles from './upload-summary.module.css';
import { uploads } from './uploads.ts';

/** The most refusals listed; the pending list below shows all of them. */
const MOST = 50;

interface UploadReceiptProps {
  receipt: Receipt;
  /** Takes the focus when the receipt closes. */
  zone: RefObject<HTMLElement | null>;
}

/** The results of the last run, until dismissed or replaced by the next run. */
export function UploadReceipt({ receipt: { stored, there, refused }, zone }: UploadReceiptProps) {
  const heading = useId();
  const words = texts.receipt;
  const close = (): void => {
    uploads.putAwayReceipt();
    zone.current?.focus();
  };
  return (
    <section className={styles.receipt} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{words.title}</h2>
        <p className="num">
          {stored > 0 ? <span>{words.stored(stored)}</span> : null}
          {there > 0 ? <span>{words.there(there)}</span> : null}
          {refused.length > 0 ? <span className={styles.refused}>{words.refused(refused.length)}</span> : null}
        </p>
        <IconButton label={words.close} onClick={close}>
          <X />
        </IconButton>
      </div>
      {refused.length > 0 ? (
        <ul className={styles.reasons} aria-labelledby={heading}>
          {refused.slice(0, MOST).map(({ id, name, reason }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              {separator}
              {reason}
            </li>
          ))}
          {refused.length > MOST ? <li>{words.more(refused.length - MOST)}</li> : null}
        </ul>
      ) : null}
    </section>
  );
}
