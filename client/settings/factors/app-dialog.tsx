import { encode } from 'uqr';
import type { FactorAdded } from '../../../server/contract.ts';
import { confirmTotp } from '../../api/account/factors.ts';
import { formText } from '../../lib/form-text.ts';
import { qrPath } from '../../lib/qr-code.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Field } from '../../ui/fields/field.tsx';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import styles from './factors-box.module.css';
import type { Outcome } from './task.ts';
import { changingFactors } from './use-factors.ts';

interface AppDialogProps {
  app: NonNullable<Outcome['app']>;
  onDone: (added: FactorAdded) => void;
  onClose: () => void;
}

/** Shows the secret to the authenticator app, and asks for its first code. */
export function AppDialog({ app: { secret, uri, proof }, onDone, onClose }: AppDialogProps) {
  const words = texts.app;
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_CODE' ? 'code' : undefined),
    failed: () => texts.failed,
    submit: async (form) => onDone(await changingFactors(() => confirmTotp({ proof, code: formText(form, 'code') }))),
  });
  const { data, size } = encode(uri, { ecc: 'M', border: 4 });
  return (
    <Dialog title={words.setUp} onClose={onClose}>
      <form className={form.form} onSubmit={onSubmit}>
        <p>{words.scan}</p>
        <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={words.alt}>
          <rect width={size} height={size} fill="#fff" />
          <path d={qrPath(data)} fill="#000" shapeRendering="crispEdges" />
        </svg>
        <p>
          {words.secret}{' '}
          <code dir="ltr" className={styles.secret}>
            {secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </p>
        <Field
          label={words.code}
          name="code"
          required
          autoComplete="one-time-code"
          inputMode="numeric"
          dir="ltr"
          error={errors.code}
        />
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
