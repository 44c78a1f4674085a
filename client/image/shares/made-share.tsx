import { Suspense, useRef, useState } from 'react';
import type { Share } from '../../../server/contract.ts';
import { focusOnMount } from '../../lib/focus.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { albums, links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useCopied } from '../../ui/buttons/use-copied.ts';
import { Field } from '../../ui/fields/field.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import styles from './shares.module.css';

const QrDialog = lazyPart(async () => ({ default: (await import('../links/qr-dialog.tsx')).QrDialog }));

/** The link of a new share, or a new collect link. */
export function MadeShare({
  share: { name, url, protected: isProtected },
  made = texts.shares.made,
  onClose,
}: {
  share: Pick<Share, 'name' | 'url' | 'protected'>;
  /** The words of another link. */
  made?: typeof texts.shares.made;
  onClose: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [hasCode, setCode] = useState(false);
  const [state, copy] = useCopied(() => {
    field.current?.select();
    showError(texts.copyRefused, albums.link.copyByHand);
  });
  return (
    <div className={styles.form}>
      <p role="status">{isProtected ? made.withPassword : made.open}</p>
      <div className={styles.link}>
        <Field ref={field} label={made.link} readOnly value={url} dir="ltr" onFocus={({ target }) => target.select()} />
        <Button ref={focusOnMount} variant="line" onClick={({ currentTarget }) => copy(url, currentTarget)}>
          {state === 'copied' ? texts.copied : texts.copy}
        </Button>
      </div>
      <div className={styles.buttons}>
        <Button variant="line" onClick={() => setCode(true)}>
          {texts.qr.button}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {made.done}
        </Button>
      </div>
      <Suspense>{hasCode ? <QrDialog name={name} url={url} onClose={() => setCode(false)} /> : null}</Suspense>
    </div>
  );
}
