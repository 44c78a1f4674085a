import type { Passkey } from '../../../server/contract.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ListedRow, Moment } from '../listed-row.tsx';
import styles from '../rows.module.css';

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, created_at, used_at, synced } = passkey;
  const words = texts.passkeys;
  return (
    <ListedRow
      name={name}
      facts={
        <>
          <Moment label={words.created} at={created_at} />
          {used_at === null ? <span>{words.unused}</span> : <Moment label={words.used} at={used_at} />}
          {synced ? <span>{words.synced}</span> : null}
        </>
      }
    >
      <Button variant="ghost" aria-label={words.renameNamed(name)} onClick={onRename}>
        {words.rename}
      </Button>
      <Button variant="ghost" className={styles.end} aria-label={words.removeNamed(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </ListedRow>
  );
}
