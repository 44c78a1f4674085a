import type { ReactNode } from 'react';
import type { Factors, ProofBody } from '../../../server/contract.ts';
import { prove, requestPasskeyProof } from '../../api/account/factors.ts';
import { ApiError } from '../../api/api-error.ts';
import { startProviderProof } from '../../api/provider/identities.ts';
import { formText } from '../../lib/form-text.ts';
import { useBusy } from '../../lib/hooks/use-busy.ts';
import { answerPasskey, hasPasskeys } from '../../lib/webauthn.ts';
import { session } from '../../session/session.ts';
import { settings, factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import { Waiting } from '../waiting.tsx';
import { problemOf } from './problem.ts';
import { leaveFor } from './proof-page.ts';
import { useFactorsNow } from './use-factors.ts';

interface ProofPromptProps {
  /** What the proof is for. */
  children?: ReactNode;
  /** The button that removes something; `Continue` without it. */
  removal?: string | undefined;
  /** Rejects if the server or the device refuses what the proof is for. */
  onProof: (proof: string) => Promise<void>;
  onClose: () => void;
}

type FormProps = ProofPromptProps & { factors: Factors; reload: () => void };

/** As a `ref`: the dialog may have opened before its fields were there. */
function focusField(part: HTMLFormElement | null): void {
  part?.querySelector<HTMLElement>('input:not([type=hidden]), button')?.focus();
}

function ProofForm({ factors, reload, children, removal, onProof, onClose }: FormProps) {
  const [busyDevice, start] = useBusy();
  const go = async (body: ProofBody) => onProof(await prove(body));
  const failing = (error: unknown) => showError(texts.failed, problemOf(error));
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_PASSWORD' ? 'password' : undefined),
    failed: () => texts.failed,
    async submit(form) {
      const body = form.has('password') ? { password: formText(form, 'password') } : {};
      await go(body).catch((error) => {
        // A device that does not confirm is no failure of the form.
        if (!(error instanceof ApiError)) return failing(error);
        // The login at the provider has become too old meanwhile.
        if (error.code === 'PROOF_NOT_ACCEPTED') reload();
        throw error;
      });
    },
  });
  const byPasskey = () =>
    start(() =>
      requestPasskeyProof()
        .then(answerPasskey)
        .then((passkey) => go({ passkey }))
        .catch(failing),
    );
  const { password_proof: hasPassword, passkeys, passkey_obstacle: obstacle } = factors;
  const offersPasskey = passkeys.length > 0 && obstacle === null && hasPasskeys();
  const atProvider = factors.provider_proof;
  const isRecent = atProvider === 'recent';
  const hasNone = !hasPassword && passkeys.length === 0 && atProvider === null;
  return (
    <form className={form.form} onSubmit={onSubmit} ref={focusField}>
      {children}
      {atProvider === null ? null : <p>{isRecent ? texts.proof.recent : texts.proof.again}</p>}
      {hasNone ? <p>{texts.proof.logOut}</p> : null}
      <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
      {hasPassword && !isRecent ? (
        <PasswordField label={texts.proof.password} autoComplete="current-password" error={errors.password} />
      ) : null}
      <div className={form.answers}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        {offersPasskey ? (
          <Button variant="line" busy={busyDevice} onClick={byPasskey}>
            {texts.proof.passkey}
          </Button>
        ) : null}
        {atProvider === 'login' ? (
          <Button
            variant="line"
            busy={busyDevice}
            onClick={() => start(() => startProviderProof().then(leaveFor).catch(failing))}
          >
            {texts.proof.logInAgain}
          </Button>
        ) : null}
        {hasPassword || isRecent ? (
          <Button type="submit" variant={removal === undefined ? 'primary' : 'danger'} busy={busy}>
            {removal ?? texts.proof.next}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Asks for the password, a passkey or a login at the provider before a change that an open session alone must not make. */
export function ProofPrompt(parts: ProofPromptProps) {
  const { factors, busy, reload } = useFactorsNow();
  return (
    <Dialog title={texts.proof.title} onClose={parts.onClose}>
      {factors === 'loading' ? <Waiting lines={2} text={settings.factors.loading} /> : null}
      {factors === 'failed' ? (
        <LoadError size="line" text={settings.factors.loadFailed} retry={settings.retry} busy={busy} onRetry={reload} />
      ) : null}
      {typeof factors === 'string' ? null : <ProofForm factors={factors} reload={reload} {...parts} />}
    </Dialog>
  );
}
