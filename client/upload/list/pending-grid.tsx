import { type CSSProperties, memo, type Ref } from 'react';
import { uploads } from '../uploads.ts';
import type { PendingList } from './pending.ts';
import styles from './pending-list.module.css';
import { PendingTile } from './pending-tile.tsx';

export interface GridProps {
  files: PendingList;
  /** Id of the heading. */
  labelledBy: string;
  busy: boolean;
  onRemove: (id: number) => void;
}

interface DrawnProps extends GridProps {
  /** If only some files are rendered: index of the first one, and the total. */
  first?: number;
  of?: number;
  style?: CSSProperties;
  ref?: Ref<HTMLUListElement>;
}

/** The tiles of pending files. */
export const PendingGrid = memo(function PendingGrid(props: DrawnProps) {
  const { files, labelledBy, busy, onRemove, first = 0, of, style, ref } = props;
  return (
    <ul ref={ref} className={styles.grid} style={style} aria-labelledby={labelledBy} aria-busy={busy || undefined}>
      {files.map((item, index) => (
        <PendingTile
          key={item.id}
          item={item}
          place={of === undefined ? undefined : first + index + 1}
          of={of}
          onRemove={onRemove}
          onRetry={uploads.retry}
        />
      ))}
    </ul>
  );
});
