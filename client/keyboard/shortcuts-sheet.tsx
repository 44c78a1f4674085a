import { Fragment } from 'react';
import { singleKeys, useSingleKeys } from '../session/single-keys.ts';
import { keyboard as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import styles from './shortcuts-sheet.module.css';

type Name = keyof typeof texts.keys;

/** The keys of each shortcut; a space separates keys that do the same, or the two directions. `isSingle`: off with the switch. */
interface Shortcut {
  readonly keys: string;
  readonly name: Name;
  readonly isSingle?: true;
}

const everywhere: readonly Shortcut[] = [
  { keys: '?', name: 'help', isSingle: true },
  { keys: '[', name: 'sidebar', isSingle: true },
  { keys: 'Ctrl+Z ⌘Z', name: 'undo' },
];

const gallery: readonly Shortcut[] = [
  { keys: '/', name: 'search', isSingle: true },
  { keys: '← → ↑ ↓', name: 'move' },
  { keys: 'Enter', name: 'open' },
  { keys: 'X', name: 'select', isSingle: true },
  { keys: 'Ctrl+A ⌘A', name: 'selectAll' },
  { keys: 'Esc', name: 'leave' },
];

const overlay: readonly Shortcut[] = [
  { keys: '← →', name: 'turn' },
  { keys: 'Home End', name: 'ends' },
  { keys: '+ - 0', name: 'zoom', isSingle: true },
  { keys: 'I', name: 'details', isSingle: true },
  { keys: 'C', name: 'copy', isSingle: true },
  { keys: 'D', name: 'download', isSingle: true },
  { keys: 'Delete', name: 'remove' },
  { keys: 'Esc', name: 'close' },
];

interface GroupProps {
  title: string;
  shortcuts: readonly Shortcut[];
  on: boolean;
}

function Group({ title, shortcuts, on }: GroupProps) {
  return (
    <section className={styles.group}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {shortcuts.map(({ keys, name, isSingle }) => (
          <Fragment key={name}>
            <dt data-off={(isSingle && !on) || undefined} dir="ltr">
              {keys.split(' ').map((key, index) => (
                <Fragment key={key}>
                  {index > 0 ? <span className="visually-hidden"> {texts.or} </span> : null}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd data-off={(isSingle && !on) || undefined}>{texts.keys[name]}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** All keyboard shortcuts, and the switch for those of a single key. Load it with the later words. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const on = useSingleKeys();
  return (
    <Dialog title={texts.title} size="wide" onClose={onClose}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={on}
          aria-describedby="single-keys-hint"
          onChange={({ target }) => singleKeys.set(target.checked)}
        />
        {texts.enabled}
      </label>
      <p id="single-keys-hint">{texts.hint}</p>
      <div className={styles.groups}>
        <Group title={texts.everywhere} shortcuts={everywhere} on={on} />
        <Group title={texts.gallery} shortcuts={gallery} on={on} />
        <Group title={texts.overlay} shortcuts={overlay} on={on} />
      </div>
      <Button className={styles.close} onClick={onClose}>
        {texts.close}
      </Button>
    </Dialog>
  );
}
