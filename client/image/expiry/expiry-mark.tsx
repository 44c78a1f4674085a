import { Hourglass, TimerOff } from 'lucide-react';
import { useEffect } from 'react';
import { albumsKey, imagesKey, usageKey } from '../../query/keys.ts';
import { queries } from '../../query/queries.ts';
import { preview } from '../../text/words.ts';
import styles from './expiry-mark.module.css';
import { describeEnd } from './time-left.ts';
import { useTimeLeft } from './use-time-left.ts';

/** The server deletes expired images once a minute. */
const RELOAD_MS = 30_000;

/** Images of one upload expire together: their lists are loaded once. */
const WITHIN_MS = 1000;

/** Loads the lists again until they no longer contain the expired image. */
function useReload(isExpired: boolean): void {
  useEffect(() => {
    if (!isExpired) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      for (const key of [imagesKey, albumsKey, usageKey]) queries.invalidate(key, WITHIN_MS);
    }, RELOAD_MS);
    return () => clearInterval(timer);
  }, [isExpired]);
}

interface ExpiryMarkProps {
  /** ISO 8601 */
  end: string;
  /** The id for the text that describes the card's picture. */
  textId: string;
}

/** The sign on a card whose image expires. It covers the picture of an expired one, whose links no longer work. */
export function ExpiryMark({ end, textId }: ExpiryMarkProps) {
  const left = useTimeLeft(end);
  const isExpired = left === 0;
  useReload(isExpired);
  if (isExpired) {
    return (
      <span className={styles.expired} data-expired aria-hidden="true">
        <TimerOff />
        <span id={textId}>{preview.expiry.expired}</span>
      </span>
    );
  }
  const { short, full } = describeEnd(end, left);
  return (
    <span className={`num ${styles.mark}`} title={full} aria-hidden="true">
      <Hourglass />
      {short}
      <span id={textId} className="visually-hidden">
        {full}
      </span>
    </span>
  );
}
