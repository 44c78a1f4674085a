import type { Passkey } from '../../../server/contract.ts';
import { formatMoment } from '../../text/format-moment.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import styles from '../rows.module.css';

const Moment = ({ label, at }: { label: string; at: string }) => (
  <span>
    {label} <time dateTime={at}>{formatMoment(at)}</time>
  </span>
);

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, created_at, used_at, synced } = passkey;
  const words = texts.passkeys;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p className={`num ${styles.facts}`}>
          <Moment label={words.created} at={created_at} />
          {used_at === null ? <span>{words.unused}</span> : <Moment label={words.used} at={used_at} />}
          {synced ? <span>{words.synced}</span> : null}
        </p>
      </div>
      <Button variant="ghost" aria-label={words.renameNamed(name)} onClick={onRename}>
        {words.rename}
      </Button>
      <Button variant="ghost" className={styles.end} aria-label={words.removeNamed(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}
