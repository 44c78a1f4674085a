import { type FormEvent, useCallback, useRef, useState } from 'react';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import styles from './name-form.module.css';

interface NameFormProps {
  name?: string;
  /** @returns whether it was saved; otherwise the form stays open */
  onSave: (name: string) => Promise<boolean>;
  onCancel: () => void;
}

/** Edits a name in place: Enter saves, Esc cancels. */
export function NameForm({ name = '', onSave, onCancel }: NameFormProps) {
  const [typed, setTyped] = useState(name);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const appear = useCallback((input: HTMLInputElement | null) => {
    field.current = input;
    input?.select();
  }, []);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    if (!(await onSave(typed))) setBusy(false);
  }

  return (
    <form
      className={styles.form}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        // Keeps Esc from also closing a popover around the form.
        event.preventDefault();
        onCancel();
      }}
    >
      <Field
        ref={appear}
        label={texts.name}
        hideLabel
        placeholder={texts.name}
        height="small"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        required
        pattern=".*\S.*"
        maxLength={100}
        autoComplete="off"
        dir="auto"
        className={styles.field}
      />
      <Button type="submit" variant="line" busy={busy}>
        {texts.save}
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        {texts.cancel}
      </Button>
    </form>
  );
}
