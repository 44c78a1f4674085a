import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { texts } from '../text/auth.ts';
import { Field } from './field.tsx';
import { IconButton } from './icon-button.tsx';

/** The required password, with a button that shows and hides it. */
export function PasswordField({ autoComplete }: { autoComplete: 'current-password' | 'new-password' }) {
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
      id={id}
      label={texts.password}
      type={shown ? 'text' : 'password'}
      name="password"
      required
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      end={toggle}
    />
  );
}
