import { useLocation } from 'wouter';
import { deleteAccount } from '../api/account.ts';
import { formText } from '../lib/form-text.ts';
import { endSession } from '../session/log-out.ts';
import { session } from '../session/session.ts';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { showSuccess } from '../ui/toast.ts';
import form from './form.module.css';
import { useForm } from './use-form.ts';

interface DeletionDialogProps {
  /** What will be deleted, in words. */
  held: string;
  onClose: () => void;
}

/** Asks for the password, and deletes the account. */
export default function DeletionDialog({ held, onClose }: DeletionDialogProps) {
  const [, navigate] = useLocation();
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_PASSWORD' ? 'password' : undefined),
    failed: () => texts.deletion.failed,
    async submit(form) {
      await deleteAccount(formText(form, 'password'));
      endSession();
      navigate('/login');
      showSuccess(texts.deletion.done);
    },
  });
  return (
    <Dialog title={texts.deletion.ask} onClose={onClose}>
      <p>{texts.deletion.text(held)}</p>
      <form className={form.form} onSubmit={onSubmit}>
        <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
        <PasswordField label={texts.deletion.password} autoComplete="current-password" error={errors.password} />
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.deletion.cancel}</Button>
          <Button type="submit" variant="danger" busy={busy}>
            {texts.deletion.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
