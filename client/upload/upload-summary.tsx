import { X } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { separator, upload as texts } from '../text/words.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import type { Summary } from './send/summary.ts';
import styles from './upload-summary.module.css';
import { uploads } from './uploads.ts';

/** The most refusals listed; the pending list below shows all of them. */
const MOST = 50;

interface UploadSummaryProps {
  summary: Summary;
  /** Takes the focus when the summary closes. */
  zone: RefObject<HTMLElement | null>;
}

/** The result of the last job, until dismissed or replaced by the next one. */
export function UploadSummary({ summary: { stored, duplicates, refused }, zone }: UploadSummaryProps) {
  const heading = useId();
  const words = texts.summary;
  const added = stored - duplicates;
  const close = (): void => {
    uploads.closeSummary();
    zone.current?.focus();
  };
  return (
    <section className={styles.summary} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{words.title}</h2>
        <p className="num">
          {added > 0 ? <span>{words.stored(added)}</span> : null}
          {duplicates > 0 ? <span>{words.there(duplicates)}</span> : null}
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
