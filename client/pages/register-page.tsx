import { useState } from 'react';
import { useLocation } from 'wouter';
import type { InviteOffer, SignInOptions } from '../../server/contract.ts';
import { register } from '../api/account/auth.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { inviteQuery, signInOptionsQuery } from '../layout/sign-in-options.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import { useQuery } from '../query/use-query.ts';
import { claim, mailLanguage, auth as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { Field } from '../ui/fields/field.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';

/** Error codes about the password alone. */
const weakPassword: ReadonlySet<string> = new Set(['COMMON_PASSWORD', 'PASSWORD_IS_NAME']);

const isDead = (refusal: unknown): boolean => refusal instanceof ApiError && refusal.status === 403;

interface NoticeProps {
  mode: SignInOptions['registration'] | undefined;
  offer: InviteOffer | undefined;
  refusal: unknown;
}

/** What is before the fields: what the invitation is for, or why nobody can register. */
function Notice({ mode, offer, refusal }: NoticeProps) {
  if (offer) return <p>{offer.makes_admin ? claim.firstAdmin : claim.invited}</p>;
  if (refusal === undefined) {
    if (mode === 'invite') return <p>{claim.byInvitation}</p>;
    return mode === 'closed' ? <p>{claim.registrationClosed}</p> : null;
  }
  return (
    <>
      <p role="alert">{reasonOf(refusal) ?? texts.registrationFailed}</p>
      {isDead(refusal) && (mode === 'open' || mode === 'approval') ? <p>{claim.withoutInvitation}</p> : null}
    </>
  );
}

interface FieldsProps {
  /** The only email that may register. */
  email: string | undefined;
  passwordError: string | undefined;
  busy: boolean;
}

function Fields({ email, passwordError, busy }: FieldsProps) {
  return (
    <>
      <Field
        label={texts.username}
        name="username"
        required
        // Password managers save the email, by which the account logs in.
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
      />
      <Field
        key={email}
        label={texts.email}
        type="email"
        name="email"
        required
        autoComplete="username"
        dir="ltr"
        defaultValue={email}
        readOnly={email !== undefined}
      />
      <PasswordField autoComplete="new-password" error={passwordError} />
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.register}
      </Button>
    </>
  );
}

export default function RegisterPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [passwordError, setPasswordError] = useState<string>();
  const secret = useLinkToken();
  const { data: offer, error: refusal } = useQuery(secret === '' ? null : inviteQuery(secret));
  const options = useQuery(signInOptionsQuery).data;
  // Without passwords, the sign-in provider decides who may register.
  const mode = options?.password_login ? options.registration : undefined;
  const isLookedUp = secret !== '' && offer === undefined && refusal === undefined;
  const hasNone = secret === '' || isDead(refusal);
  const isShut = hasNone && (mode === 'closed' || mode === 'invite');
  const proof = hasNone ? {} : offer?.makes_admin ? { claim: secret } : { invite: secret };

  function submit(form: FormData) {
    setPasswordError(undefined);
    start(async () => {
      try {
        const email = formText(form, 'email');
        const account = { username: formText(form, 'username'), email, password: formText(form, 'password') };
        const { pending } = await register({ ...account, ...proof, language: mailLanguage });
        showSuccess(pending ? texts.accountWaits : texts.registrationWorked);
        navigate('/login', { replace: true, state: pending ? { waiting: email } : { registered: email } });
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
      linkSecret={hasNone ? undefined : secret}
      notice={<Notice mode={mode} offer={offer} refusal={refusal} />}
      onSubmit={submit}
      footer={
        <>
          {texts.haveAccount} <TextLink href="/login">{texts.login}</TextLink>
        </>
      }
    >
      {isShut ? null : (
        <Fields email={offer?.email ?? undefined} passwordError={passwordError} busy={busy || isLookedUp} />
      )}
    </AuthLayout>
  );
}
