import type { Usage } from '../../server/contract.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { settings as texts } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { ProgressBar } from '../ui/progress/progress-bar.tsx';
import { Box } from './box.tsx';
import styles from './storage-box.module.css';
import { Waiting } from './waiting.tsx';

/** per cent from which a warning is shown */
const little = 90;

interface HoldingsProps {
  usage: Usage;
  /** per cent of the nearest limit, whole; null without limits */
  percent: number | null;
}

function Holdings({ usage, percent }: HoldingsProps) {
  const { label, used, of, images, imagesOf, almostFull, full, unlimited } = texts.storage;
  const size = formatBytes(usage.bytes);
  const most = usage.max_bytes === null ? null : of(formatBytes(usage.max_bytes));
  const count = usage.max_images === null ? images(usage.images) : imagesOf(usage.images, usage.max_images);
  const state = percent === null || percent < little ? null : percent === 100 ? full : almostFull;
  const words = [most === null ? used(size) : size + most, count, state].filter(Boolean).join(' · ');
  return (
    <>
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
    </>
  );
}

interface StorageBoxProps {
  usage: Usage | 'loading' | 'failed';
  percentOf: (usage: Usage) => number | null;
  busy: boolean;
  reload: () => void;
}

/** The account's usage and how close it is to its limits. */
export function StorageBox({ usage, percentOf, busy, reload }: StorageBoxProps) {
  const { title, loading, loadFailed } = texts.storage;
  return (
    <Box title={title} span="narrow">
      {usage === 'loading' ? <Waiting lines={2} text={loading} /> : null}
      {usage === 'failed' ? (
        <LoadError size="line" text={loadFailed} retry={texts.retry} busy={busy} onRetry={reload} />
      ) : null}
      {typeof usage === 'string' ? null : <Holdings usage={usage} percent={percentOf(usage)} />}
    </Box>
  );
}
