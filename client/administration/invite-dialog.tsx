import { type FormEvent, useState } from 'react';
import type { CreatedInvite } from '../../server/contract.ts';
import { createInvite } from '../api/administration.ts';
import { reasonOf } from '../api/api-error.ts';
import { focusInDialog } from '../lib/focus.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { mailLanguage, administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Select } from '../ui/fields/select.tsx';
import styles from './administration.module.css';
import { OnceShown } from './once-shown.tsx';
import { reload } from './queries.ts';
import { QuotaFields, quotaIn } from './quota-fields.tsx';

/** `never` is sent as null. */
const lifetimes = ['1d', '7d', '4w', '1y', 'never'] as const;

/** Whom it is for, how often it can be used, and until when. */
function InviteFields() {
  const { form: words } = texts.invites;
  const [isForOne, setForOne] = useState(false);
  return (
    <>
      <Field
        ref={focusInDialog}
        label={words.name}
        name="name"
        hint={words.nameHint}
        required
        pattern=".*\S.*"
        maxLength={100}
        autoComplete="off"
        dir="auto"
      />
      <Field
        label={words.email}
        name="email"
        type="email"
        hint={words.emailHint}
        autoComplete="off"
        dir="ltr"
        onChange={({ target }) => setForOne(target.value !== '')}
      />
      {isForOne ? null : (
        <Field label={words.uses} name="uses" type="number" min={1} max={10_000} required defaultValue={1} />
      )}
      <Select label={words.lifetime} name="lifetime" defaultValue="7d">
        {lifetimes.map((value) => (
          <option key={value} value={value}>
            {words.lifetimes[value]}
          </option>
        ))}
      </Select>
    </>
  );
}

/** Creates an invitation, and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { form: words, made: done } = texts.invites;
  const [made, setMade] = useState<CreatedInvite>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, start] = useBusy();
  async function create(form: FormData): Promise<void> {
    const email = formText(form, 'email');
    const lifetime = formText(form, 'lifetime');
    try {
      setRefusal(undefined);
      const answer = await createInvite({
        name: formText(form, 'name'),
        ...(email === '' ? {} : { email }),
        max_uses: form.has('uses') ? Number(formText(form, 'uses')) : 1,
        expires_in: lifetime === 'never' ? null : lifetime,
        ...quotaIn(form),
        language: mailLanguage,
      });
      setMade(answer);
      reload();
    } catch (error) {
      setRefusal(reasonOf(error) ?? texts.failed);
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void start(() => create(form));
  };
  if (made) {
    return (
      <Dialog title={done.title} onClose={onClose}>
        <OnceShown label={done.note} url={made.url} />
        {made.mailed ? <p>{done.mailed(made.invite.email ?? '')}</p> : null}
        <Button variant="ghost" onClick={onClose}>
          {texts.close}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <InviteFields />
        <QuotaFields images={null} bytes={null} />
        <p role="alert" className={styles.alarm}>
          {refusal}
        </p>
        <div className={styles.actions}>
          <Button type="submit" variant="line" busy={busy}>
            {words.create}
          </Button>
          <Button variant="ghost" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
