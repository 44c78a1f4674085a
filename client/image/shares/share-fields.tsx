import type { Share } from '../../../server/contract.ts';
import { focusInDialog } from '../../lib/focus.ts';
import { links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { ExpiryFields } from '../expiry/expiry-fields.tsx';
import { type Access, isProtected, type ShareChoice } from './share-choice.ts';
import styles from './shares.module.css';
import type { FieldName } from './use-share-form.ts';

interface PartProps<T extends Access = Access> {
  choice: T;
  onChange: (change: Partial<T>) => void;
  errorOf: (field: FieldName) => string | undefined;
}

interface TitleProps {
  name: string;
  hint: string;
  onChange: (change: { name: string }) => void;
}

export function Title({ name, hint, onChange }: TitleProps) {
  return (
    <Field
      ref={focusInDialog}
      name="name"
      label={texts.shares.form.name}
      hint={hint}
      value={name}
      required
      pattern=".*\S.*"
      maxLength={100}
      autoComplete="off"
      dir="auto"
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => onChange({ name: target.value })}
    />
  );
}

interface SubmitProps {
  /** What concerns no single field. */
  refusal: string | undefined;
  save: string;
  busy: boolean;
  onCancel: () => void;
}

export function Submit({ refusal, save, busy, onCancel }: SubmitProps) {
  return (
    <>
      <p role="alert" className={styles.error}>
        {refusal}
      </p>
      <div className={styles.buttons}>
        <Button type="submit" variant="line" busy={busy}>
          {save}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  );
}

export function End({ choice: { end }, onChange, errorOf }: PartProps) {
  return (
    <div className={styles.two}>
      <ExpiryFields
        end={end}
        onChange={(change) => onChange({ end: { ...end, ...change } })}
        words={texts.shares.form}
        error={errorOf('end')}
      />
    </div>
  );
}

export function Password({
  choice,
  before,
  onChange,
  errorOf,
}: PartProps & { before: Pick<Share, 'protected'> | undefined }) {
  const words = texts.shares.form;
  const isKept = before?.protected === true;
  return (
    <>
      {choice.removesPassword ? null : (
        <PasswordField
          label={isKept ? words.newPassword : words.password}
          hint={isKept ? words.newPasswordHint : words.passwordHint}
          error={errorOf('password')}
          autoComplete="new-password"
          required={false}
          minLength={8}
          maxLength={256}
          value={choice.password}
          onChange={({ target }) => onChange({ password: target.value })}
        />
      )}
      {isKept ? (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={choice.removesPassword}
            onChange={({ target }) => onChange({ removesPassword: target.checked, password: '' })}
          />
          {words.removePassword}
        </label>
      ) : null}
    </>
  );
}

export function ShortName({
  choice,
  before,
  onChange,
  errorOf,
}: PartProps<ShareChoice> & { before: Share | undefined }) {
  const words = texts.shares.form;
  const refusal = errorOf('guessable');
  return (
    <>
      <Field
        name="short-name"
        label={words.shortName}
        hint={words.shortNameHint}
        error={errorOf('short-name')}
        value={choice.shortName}
        maxLength={64}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => onChange({ shortName: target.value })}
      />
      {choice.shortName.trim() === '' || isProtected(choice, before) ? null : (
        <div>
          <label className={styles.check}>
            <input
              type="checkbox"
              name="guessable"
              aria-invalid={refusal ? true : undefined}
              aria-describedby={refusal ? 'guessable-refusal' : undefined}
              checked={choice.guessable}
              onChange={({ target }) => onChange({ guessable: target.checked })}
            />
            {words.guessable}
          </label>
          {refusal ? (
            <p id="guessable-refusal" className={styles.error}>
              {refusal}
            </p>
          ) : null}
        </div>
      )}
    </>
  );
}
