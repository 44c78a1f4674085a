import type { Factors, ProofBody } from '../../../server/contract.ts';
import { ApiError } from '../../api/api-error.ts';
import { prove, requestPasskeyProof } from '../../api/factors.ts';
import { formText } from '../../lib/form-text.ts';
import { useBusy } from '../../lib/use-busy.ts';
import { answerPasskey, hasPasskeys } from '../../lib/webauthn.ts';
import { session } from '../../session/session.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { showError } from '../../ui/toast.ts';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import { problemOf } from './problem.ts';
import { isRemoval, labelOf, type Outcome, run, type Task } from './task.ts';

interface ProofDialogProps {
  task: Task;
  factors: Factors;
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}

/** Asks for the password or a passkey, and then does what was asked for. */
export function ProofDialog({ task, factors, onDone, onClose }: ProofDialogProps) {
  const [busyDevice, start] = useBusy();
  const go = async (body: ProofBody) => onDone(await run(task, await prove(body)));
  const failing = (error: unknown) => showError(texts.failed, problemOf(error));
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_PASSWORD' ? 'password' : undefined),
    failed: () => texts.failed,
    async submit(form) {
      const body = form.has('password') ? { password: formText(form, 'password') } : {};
      // A device that does not confirm is no failure of the form.
      await go(body).catch((error) => (error instanceof ApiError ? Promise.reject(error) : failing(error)));
    },
  });
  const byPasskey = () =>
    start(() =>
      requestPasskeyProof()
        .then(answerPasskey)
        .then((passkey) => go({ passkey }))
        .catch(failing),
    );
  const { has_password: hasPassword, passkeys, passkey_obstacle: obstacle } = factors;
  const offersPasskey = passkeys.length > 0 && obstacle === null && hasPasskeys();
  const isRecent = !hasPassword && passkeys.length === 0;
  const yes = isRemoval(task) ? labelOf(task) : texts.proof.next;
  return (
    <Dialog title={texts.proof.title} onClose={onClose}>
      <form className={form.form} onSubmit={onSubmit}>
        <p>
          <bdi>{labelOf(task)}</bdi>
        </p>
        {isRemoval(task) ? <p>{texts.proof.losing}</p> : null}
        {isRecent ? <p>{texts.proof.recent}</p> : null}
        <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
        {hasPassword ? (
          <PasswordField label={texts.proof.password} autoComplete="current-password" error={errors.password} />
        ) : null}
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          {offersPasskey ? (
            <Button variant="line" busy={busyDevice} onClick={byPasskey}>
              {texts.proof.passkey}
            </Button>
          ) : null}
          {hasPassword || isRecent ? (
            <Button type="submit" variant={isRemoval(task) ? 'danger' : 'primary'} busy={busy}>
              {yes}
            </Button>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}
