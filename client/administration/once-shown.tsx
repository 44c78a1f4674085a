import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { showError } from '../ui/toast.ts';
import { useCopied } from '../ui/use-copied.ts';
import styles from './administration.module.css';

/** A link with a secret, which the server does not show again. */
export function OnceShown({ label, url }: { label: string; url: string }) {
  const [state, copy] = useCopied(() => showError(texts.copyRefused));
  return (
    <div className={styles.once}>
      <Field label={label} value={url} readOnly dir="ltr" onFocus={({ target }) => target.select()} />
      <Button variant="primary" onClick={(event) => copy(url, event.currentTarget)}>
        {state === 'copied' ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}
