import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { reasonOf } from '../../api/api-error.ts';
import { focusOnMount } from '../../lib/focus.ts';
import { links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import styles from './links.module.css';

interface StableNameFormProps {
  name?: string;
  /** The word of the button that saves. */
  save: string;
  /** Rejects if the name is refused; the form stays open then. */
  onSave: (name: string) => Promise<unknown>;
  onCancel: () => void;
}

/** The name of a stable link. */
export function StableNameForm({ name = '', save, onSave, onCancel }: StableNameFormProps) {
  const [typed, setTyped] = useState(name);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await onSave(typed.trim());
    } catch (error) {
      setRefusal(reasonOf(error) ?? texts.failed);
    }
    setBusy(false);
  }
  // Keeps key presses in the form from reaching the overlay's shortcuts. Esc closes only the form.
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onCancel();
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown}>
      <Field
        ref={focusOnMount}
        label={texts.stable.name}
        height="small"
        hint={texts.stable.nameHint}
        error={refusal}
        value={typed}
        maxLength={64}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          setRefusal(undefined);
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="quiet" busy={busy}>
          {save}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
