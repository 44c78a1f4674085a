import { useState } from 'react';
import { useLocation } from 'wouter';
import type { InviteOffer } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { register } from '../api/auth.ts';
import { readInvite } from '../api/invite.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { signInOptionsQuery } from '../layout/sign-in-options.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { useQuery } from '../query/use-query.ts';
import { claim, auth as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.ts';

/** Error codes about the password alone. */
const weakPassword: ReadonlySet<string> = new Set(['COMMON_PASSWORD', 'PASSWORD_IS_NAME']);

const inviteQuery = (secret: string) => ({
  key: ['invite', secret],
  load: (signal: AbortSignal) => readInvite(secret, signal),
});

/** What stands before the fields: whom the invitation is for, or why nobody can register. */
function Notice({
  mode,
  offer,
  refusal,
}: {
  mode: string | undefined;
  offer: InviteOffer | undefined;
  refusal: unknown;
}) {
  if (refusal !== undefined) return <p role="alert">{reasonOf(refusal) ?? texts.registrationFailed}</p>;
  if (offer) return offer.makes_admin ? <p>{claim.firstAdmin}</p> : null;
  if (mode === 'invite') return <p>{claim.byInvitation}</p>;
  return mode === 'closed' ? <p>{claim.registrationClosed}</p> : null;
}

export default function RegisterPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [passwordError, setPasswordError] = useState<string>();
  const secret = useLinkToken();
  const { data: offer, error: refusal } = useQuery(secret === '' ? null : inviteQuery(secret));
  const { data: options } = useQuery(signInOptionsQuery);
  const proof = secret === '' ? {} : offer?.makes_admin ? { claim: secret } : { invite: secret };

  function submit(form: FormData) {
    setPasswordError(undefined);
    start(async () => {
      try {
        const email = formText(form, 'email');
        const account = { username: formText(form, 'username'), email, password: formText(form, 'password') };
        const { pending } = await register({ ...account, ...proof });
        showSuccess(pending ? texts.accountWaits : texts.registrationWorked);
        navigate('/login', { state: pending ? { waiting: email } : { registered: email } });
      } catch (error) {
        const reason = reasonOf(error);
        if (error instanceof ApiError && weakPassword.has(error.code)) setPasswordError(reason);
        showError(texts.registrationFailed, reason);
      }
    });
  }

  return (
    <AuthLayout
      title={texts.register}
      offersProvider
      linkSecret={refusal === undefined ? secret : undefined}
      notice={
        <Notice mode={options?.password_login ? options.registration : undefined} offer={offer} refusal={refusal} />
      }
      onSubmit={submit}
      footer={
        <>
          {texts.haveAccount} <TextLink href="/login">{texts.login}</TextLink>
        </>
      }
    >
      <Field
        label={texts.username}
        name="username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
      />
      <Field
        key={offer?.email}
        label={texts.email}
        type="email"
        name="email"
        required
        autoComplete="email"
        dir="ltr"
        defaultValue={offer?.email ?? undefined}
        readOnly={offer?.email != null}
      />
      <PasswordField autoComplete="new-password" error={passwordError} />
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={busy || (secret !== '' && offer === undefined && refusal === undefined)}
      >
        {texts.register}
      </Button>
    </AuthLayout>
  );
}
