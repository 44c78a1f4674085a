import { LockKeyhole } from 'lucide-react';
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { reasonOf } from '../api/api-error.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { links as texts } from '../text/words.ts';
import { Button, buttonClass } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { CopyLink, LinkRow } from './link-row.tsx';
import styles from './my-links.module.css';

const QrDialog = lazyPart(async () => ({ default: (await import('../image/links/qr-dialog.tsx')).QrDialog }));

interface EditableRowProps {
  link: { readonly name: string; readonly url: string; readonly protected: boolean };
  /** For a link without a password. */
  icon: ReactElement;
  note: ReactNode;
  /** The question before it ends, and what is said afterwards. */
  ending: { readonly title: string; readonly text: (name: string) => string; readonly yes: string };
  ended: string;
  /** Rejects if the server refuses. */
  onEnd: () => Promise<void>;
  /** Further actions. */
  children?: ReactNode;
  /** The dialog that changes its settings. */
  editor: (close: () => void) => ReactNode;
}

/** A link that has a name and ends: copy, open, QR code, edit, end. */
export function EditableRow({ link, icon, note, ending, ended, onEnd, children, editor }: EditableRowProps) {
  const { shares } = texts;
  const { name, url } = link;
  const [opened, setOpened] = useState<'qr' | 'edit'>();
  const close = (): void => setOpened(undefined);
  const end = async (): Promise<void> => {
    const { title, text, yes } = ending;
    if (!(await confirm({ title, text: text(name), confirm: yes, cancel: texts.cancel }, texts.failed))) return;
    try {
      await onEnd();
      showSuccess(ended);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  };
  return (
    <LinkRow picture={link.protected ? <LockKeyhole aria-hidden="true" /> : icon} title={<bdi>{name}</bdi>} note={note}>
      <CopyLink name={name} url={url} />
      <a
        href={url}
        target="_blank"
        rel="noopener"
        className={buttonClass({ variant: 'ghost' })}
        aria-label={shares.openNamed(name)}
      >
        {shares.open}
      </a>
      <Button variant="ghost" aria-label={texts.qr.named(name)} onClick={() => setOpened('qr')}>
        {texts.qr.button}
      </Button>
      {children}
      <Button variant="ghost" aria-label={shares.editNamed(name)} onClick={() => setOpened('edit')}>
        {shares.edit}
      </Button>
      <Button variant="ghost" className={styles.remove} aria-label={shares.endNamed(name)} onClick={() => void end()}>
        {shares.end}
      </Button>
      <Suspense>
        {opened === 'qr' ? <QrDialog name={name} url={url} onClose={close} /> : null}
        {opened === 'edit' ? editor(close) : null}
      </Suspense>
    </LinkRow>
  );
}
