import { Download } from 'lucide-react';
import { saveBytes } from '../../lib/save-bytes.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showError } from '../../ui/toast.ts';
import { useCopied } from '../../ui/use-copied.ts';
import form from '../form.module.css';
import styles from './factors-box.module.css';

interface CodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** The recovery codes, for the only time. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const { title, once, copy, copied, copyRefused, download, heading } = texts.codes;
  const [state, copyText] = useCopied(() => showError(copyRefused));
  const text = `${heading(window.location.host)}\n\n${codes.join('\n')}\n`;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={form.form}>
        <p className={styles.once}>{once}</p>
        <ul className={styles.codes} dir="ltr">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={form.answers}>
          <Button variant="line" onClick={({ currentTarget }) => copyText(text, currentTarget)}>
            {state === 'copied' ? copied : copy}
          </Button>
          <Button
            variant="line"
            onClick={() => saveBytes(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            <Download />
            {download}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
