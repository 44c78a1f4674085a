import { lazy, type RefObject, Suspense, useCallback, useId } from 'react';
import { formatBytes } from '../../text/format-bytes.ts';
import { separator, upload as texts, undo as undone } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { offerUndo } from '../../ui/undoing.ts';
import { uploads } from '../uploads.ts';
import { bytesOf, nextFocus } from './pending.ts';
import { PendingGrid } from './pending-grid.tsx';
import styles from './pending-list.module.css';
import { removeButtonId } from './pending-tile.tsx';
import { MANY, useShownList } from './shown-list.ts';

const LongGrid = lazy(async () => ({ default: (await import('./long-grid.tsx')).LongGrid }));

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
