import { lazy, type RefObject, Suspense, useCallback, useId, useSyncExternalStore } from 'react';
import { afterPaint } from '../../lib/after-paint.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { separator, upload as texts, undo as undone } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { offerUndo } from '../../ui/undoing.ts';
import { uploads } from '../uploads.ts';
import { bytesOf, type PendingList as Files, nextFocus } from './pending.ts';
import { PendingGrid } from './pending-grid.tsx';
import styles from './pending-list.module.css';
import { removeButtonId } from './pending-tile.tsx';

const LongGrid = lazy(async () => ({ default: (await import('./long-grid.tsx')).LongGrid }));

/** Longer lists are virtualized, and follow after the next paint. */
const MANY = 200;

interface ShownList {
  readonly files: Files;
  readonly isRunning: boolean;
}

function current(): ShownList {
  const { files, job } = uploads.getState();
  return { files, isRunning: job !== null };
}

let shown = current();

function subscribe(onChange: () => void): () => void {
  let isDue = false;
  const show = (): void => {
    isDue = false;
    shown = current();
    onChange();
  };
  shown = current();
  return uploads.subscribe(() => {
    const { files, isRunning } = current();
    if (isDue || (files === shown.files && isRunning === shown.isRunning)) return;
    isDue = Math.max(files.length, shown.files.length) > MANY;
    if (isDue) afterPaint(show);
    else show();
  });
}

/** The files that the list shows. The button that was pressed answers before a long list renders. */
const useShownList = (): ShownList => useSyncExternalStore(subscribe, () => shown);

interface PendingListProps {
  /** Takes the focus when the list becomes empty. */
  zone: RefObject<HTMLElement | null>;
}

export function PendingList({ zone }: PendingListProps) {
  const { files, isRunning } = useShownList();
  const heading = useId();
  const remove = useCallback(
    (id: number): void => {
      const { files } = uploads.getState();
      const next = nextFocus(files, id);
      const name = files.find((item) => item.id === id)?.file.name ?? '';
      const undo = uploads.remove(id);
      if (undo) offerUndo(() => undone.file(name), undo);
      const button = next === null ? null : document.getElementById(removeButtonId(next));
      (button ?? zone.current)?.focus();
    },
    [zone],
  );
  const clear = (): void => {
    const { count, undo } = uploads.clear();
    offerUndo(() => undone.files(count), undo);
    zone.current?.focus();
  };
  const grid = { files, labelledBy: heading, busy: isRunning, onRemove: remove };
  const plain = <PendingGrid {...grid} files={files.length > MANY ? files.slice(0, MANY) : files} />;
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
          <Button variant="ghost" className={styles.clear} onClick={clear}>
            {texts.pending.clear}
          </Button>
        )}
      </div>
      <Suspense fallback={plain}>{files.length > MANY ? <LongGrid {...grid} /> : plain}</Suspense>
    </section>
  );
}
