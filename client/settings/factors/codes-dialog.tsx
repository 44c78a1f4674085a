import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { saveBytes } from '../../lib/save-bytes.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useCopied } from '../../ui/buttons/use-copied.ts';
import { confirm } from '../../ui/dialogs/confirm.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import form from '../form.module.css';
import styles from './factors-box.module.css';

interface CodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** The recovery codes, for the only time. Esc and a press outside ask first, until they are saved. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const { title, once, copy, copied, copyRefused, download, saved, leave, heading } = texts.codes;
  const isSaved = useRef(false);
  const [state, copyText] = useCopied(() => {
    isSaved.current = false;
    showError(copyRefused);
  });
  const list = useRef<HTMLUListElement>(null);
  const [openings, setOpenings] = useState(0);
  const text = `${heading(window.location.host)}\n\n${codes.join('\n')}\n`;
  const close = async (): Promise<void> => {
    if (isSaved.current) return onClose();
    // The browser closes it on a second Esc, which cannot be prevented: then it opens again.
    if (list.current?.closest('dialog')?.open === false) flushSync(() => setOpenings((count) => count + 1));
    const target = list.current?.closest('dialog');
    if (await confirm({ ...leave, ...(target ? { target } : {}) }, texts.failed)) onClose();
  };
  return (
    <Dialog key={openings} title={title} onClose={() => void close()}>
      <div className={form.form}>
        <p className={styles.once}>{once}</p>
        <ul className={styles.codes} dir="ltr" ref={list}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={form.answers}>
          <Button
            variant="line"
            onClick={({ currentTarget }) => {
              isSaved.current = true;
              copyText(text, currentTarget);
            }}
          >
            {state === 'copied' ? copied : copy}
          </Button>
          <Button
            variant="line"
            onClick={() => {
              isSaved.current = true;
              saveBytes(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt');
            }}
          >
            <Download />
            {download}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {saved}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
