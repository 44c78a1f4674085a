import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { useCopied } from '../ui/buttons/use-copied.ts';
import { Field } from '../ui/fields/field.tsx';
import { showError } from '../ui/toasts/toast.ts';
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
