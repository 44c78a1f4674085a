import { ImageUp } from 'lucide-react';
import { type ChangeEvent, type Ref, useId, useRef } from 'react';
import { upload as texts } from '../text/words.ts';
import { Mosaic } from '../ui/mosaic/mosaic.tsx';
import styles from './drop-zone.module.css';

interface DropZoneProps {
  /** Whether files are dragged over the page. */
  over: boolean;
  /** Whether the zone is lower, as during an upload. */
  compact: boolean;
  onFiles: (files: readonly File[]) => void;
  ref: Ref<HTMLButtonElement>;
}

/** The button to choose files. Files can be dropped anywhere on the page. */
export function DropZone({ over, compact, onFiles, ref }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [words, hint] = [useId(), useId()];
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(currentTarget.files ?? [])]);
    // Without this, choosing the same file again is not a change.
    currentTarget.value = '';
  };
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={styles.zone}
        data-over={over || undefined}
        data-compact={compact || undefined}
        aria-labelledby={words}
        aria-describedby={hint}
        onClick={() => input.current?.click()}
      >
        <Mosaic className={styles.tiles} />
        <span className={styles.icon}>
          <ImageUp />
        </span>
        <strong className={styles.words} id={words}>
          {over ? (
            texts.drop.over
          ) : (
            <>
              <span className={styles.mouse}>{texts.drop.mouse}</span>
              <span className={styles.touch}>{texts.drop.touch}</span>
            </>
          )}
        </strong>
        <span className={styles.hint} id={hint}>
          <span className={styles.mouse}>{texts.drop.mouseHint}</span>
          <span className={styles.touch}>{texts.drop.touchHint}</span>
        </span>
      </button>
      <input ref={input} type="file" multiple hidden onChange={choose} />
    </>
  );
}
