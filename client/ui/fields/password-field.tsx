import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { auth as texts } from '../../text/words.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { Field, type FieldProps } from './field.tsx';

type PasswordFieldProps = Partial<Omit<FieldProps, 'autoComplete' | 'type'>> & {
  autoComplete: 'current-password' | 'new-password';
};

/** A password field, with a button that shows and hides the password. */
export function PasswordField({ label = texts.password, name = 'password', ...rest }: PasswordFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const toggle = (
    <IconButton
      label={shown ? texts.hidePassword : texts.showPassword}
      aria-controls={id}
      onClick={() => setShown(!shown)}
    >
      {shown ? <EyeOff /> : <Eye />}
    </IconButton>
  );
  return (
    <Field
      required
      {...rest}
      id={id}
      label={label}
      type={shown ? 'text' : 'password'}
      name={name}
      autoCapitalize="none"
      spellCheck={false}
      end={toggle}
    />
  );
}
