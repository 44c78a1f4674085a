import { formatBytes } from '../text/format-bytes.ts';
import { separator, usage as texts } from '../text/words.ts';
import { ProgressBar } from '../ui/progress/progress-bar.tsx';
import { type Room, roomOf } from './room.ts';
import styles from './usage-bar.module.css';
import { useUsage } from './use-usage.ts';

function wordsOf({ parts }: Room): string {
  return parts
    .map(({ of, used, most }) =>
      of === 'bytes' ? texts.bytes(formatBytes(used), formatBytes(most)) : texts.images(used, most),
    )
    .join(separator);
}

/** The used share of the quota; hidden if there is no quota or loading fails. */
export function UsageBar() {
  const { usage } = useUsage();
  const room = typeof usage === 'string' ? null : roomOf(usage);
  if (!room) return null;
  const words = wordsOf(room);
  return (
    <div className={styles.usage} data-full={room.full || undefined}>
      <p className="num">{room.full ? texts.full(words) : words}</p>
      <div aria-hidden="true">
        <ProgressBar value={room.percent} tone={room.full ? 'danger' : 'plain'} />
      </div>
    </div>
  );
}
