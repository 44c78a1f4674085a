import { useState } from 'react';
import { requestReset } from '../api/account/password-reset.ts';
import { reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { signInOptionsQuery } from '../layout/sign-in-options.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useQuery } from '../query/use-query.ts';
import { mailLanguage, auth as texts, passwords as words } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { Field } from '../ui/fields/field.tsx';
import { showError } from '../ui/toasts/toast.ts';

export default function ForgotPage() {
  const [busy, start] = useBusy();
  const [sent, setSent] = useState(false);
  const { data: options } = useQuery(signInOptionsQuery);
  const { noPasswords, noMail } = words.forgot;
  const obstacle = options?.password_login === false ? noPasswords : options?.password_reset === false ? noMail : null;

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
      {obstacle === null ? (
        <>
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
        </>
      ) : (
        <p role="status">{obstacle}</p>
      )}
    </AuthLayout>
  );
}
