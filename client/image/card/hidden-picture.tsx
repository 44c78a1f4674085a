import { EyeOff } from 'lucide-react';
import { Suspense } from 'react';
import type { Image } from '../../../server/contract.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { preview as texts } from '../../text/words.ts';
import { altOf } from '../facts.ts';
import styles from './picture-notice.module.css';

/** Why a hidden image is not shown. */
export const hiddenState = ({ hidden }: Pick<Image, 'hidden'>): string =>
  hidden?.waiting ? texts.hidden.waiting.card : texts.hidden.card;

/** Replaces a picture whose links are closed, by the administrator or because it waits: they would not load. */
export function HiddenMark({ image }: { image: Image }) {
  return (
    <span className={styles.mark}>
      <EyeOff />
      <span className="visually-hidden">{altOf(image)}</span>
      <span>{hiddenState(image)}</span>
    </span>
  );
}

const WaitingNotice = lazyPart(() => import('./waiting-notice.tsx'));

interface NoticeProps {
  image: Image;
  /** Whether to load the picture, if it waits. */
  wanted: boolean;
}

/** Explains to the owner that the picture is hidden, and why. */
export function HiddenNotice({ image, wanted }: NoticeProps) {
  const { title, text, legal, reason } = texts.hidden;
  const { hidden } = image;
  if (!hidden) return null;
  if (hidden.waiting) {
    return (
      <Suspense>
        <WaitingNotice image={image} wanted={wanted} />
      </Suspense>
    );
  }
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
