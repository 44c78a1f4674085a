import { useState } from 'react';
import { reasonOf } from '../api/api-error.ts';
import { requestReset } from '../api/password-reset.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { mailLanguage, auth as texts, passwords as words } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError } from '../ui/toast.ts';

export default function ForgotPage() {
  const [busy, start] = useBusy();
  const [sent, setSent] = useState(false);

  function submit(form: FormData) {
    setSent(false);
    start(async () => {
      try {
        await requestReset({ email: formText(form, 'email'), language: mailLanguage });
        setSent(true);
      } catch (error) {
        showError(texts.forgotFailed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={words.forgot.title}
      onSubmit={submit}
      footer={
        <>
          {words.forgot.back} <TextLink href="/login">{texts.login}</TextLink>
        </>
      }
    >
      <Field
        label={texts.email}
        type="email"
        name="email"
        required
        autoComplete="username"
        dir="ltr"
        hint={words.forgot.note}
      />
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {words.forgot.send}
      </Button>
      <p role="status">{sent ? words.forgot.sent : null}</p>
    </AuthLayout>
  );
}
