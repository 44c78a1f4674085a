import { type RefObject, Suspense, useCallback, useDeferredValue, useId } from 'react';
import { afterPaint } from '../../lib/after-paint.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { separator, upload as texts, undo as undone } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { usePress } from '../../ui/buttons/use-press.ts';
import { offerUndo } from '../../ui/toasts/undoing.ts';
import { uploads, useUpload } from '../uploads.ts';
import { bytesOf, nextFocus } from './pending.ts';
import { PendingGrid } from './pending-grid.tsx';
import styles from './pending-list.module.css';
import { removeButtonId } from './pending-tile.tsx';

const LongGrid = lazyPart(async () => ({ default: (await import('./long-grid.tsx')).LongGrid }));

/** Longer lists are virtualized. */
const MANY = 200;

interface PendingListProps {
  /** Takes the focus when the list becomes empty. */
  zone: RefObject<HTMLElement | null>;
}

export function PendingList({ zone }: PendingListProps) {
  const files = useUpload((state) => state.files);
  const isRunning = useUpload((state) => state.job !== null);
  // The pressed button answers before the tiles render.
  const shown = useDeferredValue(files, files.length > MANY ? [] : files);
  const busy = useDeferredValue(isRunning);
  const heading = useId();
  const [pressed, press] = usePress<'clear'>();
  const remove = useCallback(
    (id: number): void => {
      const { files } = uploads.getState();
      const next = nextFocus(files, id);
      const name = files.find((item) => item.id === id)?.file.name ?? '';
      const button = next === null ? null : document.getElementById(removeButtonId(next));
      (button ?? zone.current)?.focus();
      // The focus answers the press before thousands of files change.
      afterPaint(() => {
        const undo = uploads.remove(id);
        if (undo) offerUndo(() => undone.file(name), undo);
      });
    },
    [zone],
  );
  const clear = (): void => {
    const { count, undo } = uploads.clear();
    offerUndo(() => undone.files(count), undo);
    zone.current?.focus();
  };
  const grid = { files: shown, labelledBy: heading, busy, onRemove: remove };
  const plain = <PendingGrid {...grid} files={shown.length > MANY ? shown.slice(0, MANY) : shown} />;
  return (
    <section aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{texts.pending.title}</h2>
        <span className="num">
          {texts.images(files.length)}
          {separator}
          {formatBytes(bytesOf(files))}
        </span>
        {isRunning ? null : (
          <Button variant="ghost" className={styles.clear} busy={pressed === 'clear'} onClick={press('clear', clear)}>
            {texts.pending.clear}
          </Button>
        )}
      </div>
      <Suspense fallback={plain}>{shown.length > MANY ? <LongGrid {...grid} /> : plain}</Suspense>
    </section>
  );
}
