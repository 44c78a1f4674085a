import { type FormEvent, useRef, useState } from 'react';
import type { CollectPage } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { enterLink } from '../api/collecting.ts';
import { focusOrHeading } from '../lib/focus.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { queries } from '../query/queries.ts';
import { links } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { useUpload } from '../upload/uploads.ts';
import styles from './guest.module.css';
import { linkKey } from './guest-queries.ts';

/** Asks for the name and the password that the link requires. */
export function EntryForm({ path, link }: { path: string; link: CollectPage }) {
  const texts = links.guest;
  const form = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<{ isPassword: boolean; text: string }>();
  const [busy, start] = useBusy();
  const hasFiles = useUpload((state) => state.files.length > 0);

  async function enter(): Promise<void> {
    if (!form.current) return;
    const fields = new FormData(form.current);
    setRefusal(undefined);
    try {
      const name = link.asks_name ? { name: formText(fields, 'name') } : {};
      const password = link.protected ? { password: String(fields.get('password') ?? '') } : {};
      queries.setData(linkKey(path), await enterLink(path, { ...name, ...password }));
    } catch (error) {
      const isPassword = error instanceof ApiError && error.code === 'WRONG_PASSWORD';
      setRefusal({ isPassword, text: isPassword ? texts.wrongPassword : (reasonOf(error) ?? links.failed) });
      if (isPassword) focusOrHeading(form.current.querySelector<HTMLElement>('[name="password"]'));
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    void start(enter);
  }
  return (
    <form ref={form} className={styles.entry} onSubmit={submit}>
      <p>{hasFiles ? texts.filesStay : texts.about}</p>
      {link.asks_name ? (
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          defaultValue={link.guest_name ?? ''}
          required
          maxLength={60}
          autoComplete="name"
          dir="auto"
        />
      ) : null}
      {link.protected ? (
        <PasswordField
          autoComplete="current-password"
          maxLength={256}
          hint={texts.passwordHint}
          error={refusal?.isPassword ? refusal.text : undefined}
        />
      ) : null}
      <p role="alert" className={styles.error}>
        {refusal && !refusal.isPassword ? refusal.text : null}
      </p>
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.enter}
      </Button>
    </form>
  );
}
