import { useState } from 'react';
import type { PasswordProof } from '../../server/contract.ts';
import { accountQuery } from '../administration/account-query.ts';
import { changeAccount } from '../api/account/account.ts';
import { formText } from '../lib/form-text.ts';
import { useQuery } from '../query/use-query.ts';
import { renewing } from '../session/renewing.ts';
import { auth, mailLanguage, settings as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import { Box } from './box.tsx';
import styles from './form.module.css';
import { PendingEmail } from './pending-email.tsx';
import { useForm } from './use-form.ts';
import type { MailState } from './use-mail-settings.ts';
import { changingUser, useUser } from './use-user.ts';

/** The password, or a passkey where there is none. */
async function proofIn(form: FormData): Promise<PasswordProof> {
  if (form.has('password')) return { password: formText(form, 'password') };
  const { proveAlone } = await import('./factors/prove-alone.ts');
  return { proof: await proveAlone() };
}

function fieldOf(code: string, form: FormData): string | undefined {
  if (code === 'USERNAME_TAKEN') return 'username';
  if (code === 'EMAIL_TAKEN') return 'email';
  if (code === 'WRONG_PASSWORD' || code === 'PASSWORD_NEEDED') return 'password';
  // The browser has already validated the email's syntax.
  return code === 'INVALID_REQUEST' ? (form.has('password') ? 'email' : 'username') : undefined;
}

export function ProfileBox({ mail, reload, resend, cancel }: MailState) {
  const user = useUser();
  const hasPassword = useQuery(accountQuery, true).data?.password_proof !== false;
  const [typed, setTyped] = useState<{ username?: string; email?: string }>({});
  const username = typed.username ?? user?.username ?? '';
  const email = typed.email ?? user?.email ?? '';
  const newEmail = user !== null && email !== user.email;
  const { busy, errors, onSubmit } = useForm({
    fieldOf,
    async submit(form) {
      const proof = newEmail ? await proofIn(form) : {};
      const { pending_email } = await changingUser(() =>
        renewing(() =>
          changeAccount({
            ...(username === user?.username ? {} : { username }),
            ...(newEmail ? { email, ...proof, language: mailLanguage } : {}),
          }),
        ),
      );
      setTyped({});
      if (pending_email) reload();
      showSuccess(texts.saved, pending_email && texts.email.sent);
    },
  });

  return (
    <Box title={texts.profile.title} span="wide">
      <form className={styles.form} onSubmit={onSubmit}>
        <div className={styles.two}>
          <Field
            label={auth.username}
            name="username"
            value={username}
            onChange={(event) => setTyped({ ...typed, username: event.target.value })}
            error={errors.username}
            required
            minLength={3}
            maxLength={32}
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
          />
          <Field
            label={auth.email}
            type="email"
            name="email"
            value={email}
            onChange={(event) => setTyped({ ...typed, email: event.target.value })}
            error={errors.email}
            required
            autoComplete="username"
            dir="ltr"
          />
        </div>
        {newEmail && hasPassword ? (
          <PasswordField
            label={texts.password.current}
            autoComplete="current-password"
            hint={texts.profile.passwordHint}
            error={errors.password}
          />
        ) : null}
        <div className={styles.row}>
          <Button type="submit" variant="primary" busy={busy}>
            {texts.profile.save}
          </Button>
        </div>
      </form>
      {mail?.pending_email ? <PendingEmail email={mail.pending_email.email} resend={resend} cancel={cancel} /> : null}
    </Box>
  );
}
