import { tokens as texts } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import form from '../form.module.css';
import styles from './tokens-box.module.css';

interface EndQuestionProps {
  name: string;
  busy: boolean;
  onEnd: () => void;
  onClose: () => void;
}

/** Asks before a token ends. The focus starts on `Cancel`. */
export function EndQuestion({ name, busy, onEnd, onClose }: EndQuestionProps) {
  const { title, text, yes, cancel } = texts.confirmEnd;
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
