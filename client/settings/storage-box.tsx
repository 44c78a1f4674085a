import type { Usage } from '../../server/contract.ts';
import { formatBytes } from '../lib/format-bytes.ts';
import { texts } from '../text/settings.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Box } from './box.tsx';
import styles from './storage-box.module.css';

/** per cent from which on there is little room left */
const little = 90;

interface StorageBoxProps {
  /** Null until it is known. */
  usage: Usage | null;
  /** per cent of the limit that is nearest, whole; null where nothing is limited */
  percent: number | null;
}

/** What the account holds, and how near that is to its limits. */
export function StorageBox({ usage, percent }: StorageBoxProps) {
  const { title, label, used, of, images, imagesOf, almostFull, full, unlimited } = texts.storage;
  if (!usage)
    return (
      <Box title={title} span="narrow">
        {null}
      </Box>
    );
  const size = formatBytes(usage.bytes);
  const most = usage.max_bytes === null ? null : of(formatBytes(usage.max_bytes));
  const count = usage.max_images === null ? images(usage.images) : imagesOf(usage.images, usage.max_images);
  const state = percent === null || percent < little ? null : percent === 100 ? full : almostFull;
  const words = [most === null ? used(size) : size + most, count, state].filter(Boolean).join(' · ');
  return (
    <Box title={title} span="narrow">
      <p className="num">
        <strong className={styles.size}>{most === null ? used(size) : size}</strong>
        {most}
      </p>
      {percent === null ? null : (
        <ProgressBar
          role="meter"
          value={percent}
          size="huge"
          tone={state === null ? 'plain' : 'warn'}
          label={label}
          valueText={words}
        />
      )}
      <p className={`num ${styles.legend}`}>
        {count}
        {state ? <strong className={styles.warning}>{state}</strong> : null}
      </p>
      {percent === null ? <p className={styles.legend}>{unlimited}</p> : null}
    </Box>
  );
}
