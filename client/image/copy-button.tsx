import { Check, Copy } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery as texts } from '../text/words.ts';
import { useCopied } from '../ui/buttons/use-copied.ts';
import mini from './card/mini-button.module.css';
import styles from './copy-button.module.css';

const ByHand = lazyPart(async () => ({ default: (await withLaterWords(import('./copy-by-hand.tsx'))).ByHand }));

interface CopyButtonProps {
  text: string;
  describedBy: string;
  className?: string;
}

/** A `Copy` button that reads `Copied!` for two seconds. Its width fits the longer word. */
export function CopyButton({ text, describedBy, className = '' }: CopyButtonProps) {
  const [state, copy, reset] = useCopied();
  const copied = state === 'copied';
  return (
    <>
      <button
        type="button"
        className={`${mini.mini} ${className}`}
        data-done={copied || undefined}
        aria-describedby={describedBy}
        onClick={(event) => copy(text, event.currentTarget)}
      >
        <span className={styles.words}>
          <span className={styles.room} aria-hidden="true">
            <Check />
            {texts.card.copied}
          </span>
          <span className={styles.face}>
            {copied ? <Check /> : <Copy />}
            {copied ? texts.card.copied : texts.card.copy}
          </span>
        </span>
      </button>
      {state === 'refused' ? (
        <Suspense>
          <ByHand text={text} onClose={reset} />
        </Suspense>
      ) : null}
    </>
  );
}
