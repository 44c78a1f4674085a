import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import form from '../form.module.css';
import styles from './tokens-box.module.css';

interface EndQuestionProps {
  words: { title: string; text: (name: string) => string; yes: string; cancel: string };
  name: string;
  busy: boolean;
  onEnd: () => void;
  onClose: () => void;
}

/** Asks before something ends. The focus starts on `Cancel`. */
export function EndQuestion({ words, name, busy, onEnd, onClose }: EndQuestionProps) {
  const { title, text, yes, cancel } = words;
  return (
    <Dialog title={title} onClose={onClose}>
      <p className={styles.question}>{text(name)}</p>
      <div className={form.answers}>
        <Button onClick={onClose}>{cancel}</Button>
        <Button variant="danger" busy={busy} onClick={onEnd}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
