import { useState } from 'react';
import type { LoginAnswer, SecondFactorMethod, SecondFactorStep } from '../../server/contract.ts';
import { giveSecondFactor, requestSecondPasskey } from '../api/account/second-step.ts';
import { reasonOf } from '../api/api-error.ts';
import { focusOnMount } from '../lib/focus.ts';
import { formText } from '../lib/form-text.ts';
import { answerPasskey, hasPasskeys, passkeyProblem } from '../lib/webauthn.ts';
import { auth, factors as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import textButton from '../ui/buttons/text-button.module.css';
import { Field } from '../ui/fields/field.tsx';
import { showError } from '../ui/toasts/toast.ts';

/** The fields of a method. A passkey has none: its button begins. */
function Fields({ method }: { method: SecondFactorMethod }) {
  if (method === 'passkey') return <p>{texts.second.passkeyNote}</p>;
  const isApp = method === 'totp';
  return (
    <Field
      key={method}
      ref={focusOnMount}
      label={isApp ? texts.second.code : texts.second.recoveryCode}
      hint={isApp ? undefined : texts.second.recoveryHint}
      name="code"
      required
      autoComplete={isApp ? 'one-time-code' : 'off'}
      inputMode={isApp ? 'numeric' : 'text'}
      autoCapitalize="characters"
      spellCheck={false}
      dir="ltr"
    />
  );
}

interface SecondStepProps {
  step: SecondFactorStep;
  busy: boolean;
  /** Runs what opens the session, one at a time. */
  finish: (call: () => Promise<LoginAnswer>) => void;
  onBack: () => void;
}

/** What a login asks for after the password. */
export default function SecondStep({ step: { token, methods }, busy, finish, onBack }: SecondStepProps) {
  const usable = methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const [chosen, setChosen] = useState<SecondFactorMethod>();
  const method = chosen ?? usable[0];
  const words = texts.second;

  function submit(form: HTMLFormElement) {
    const code = formText(new FormData(form), 'code');
    finish(async () => {
      if (method === 'totp') return giveSecondFactor({ token, code });
      if (method === 'recovery-code') return giveSecondFactor({ token, recovery_code: code });
      return giveSecondFactor({ token, passkey: await answerPasskey(await requestSecondPasskey(token)) });
    });
  }

  return (
    <>
      {method === undefined ? <p role="status">{words.none}</p> : <Fields method={method} />}
      {method === undefined ? null : (
        <Button
          type="submit"
          ref={method === 'passkey' ? focusOnMount : undefined}
          variant="primary"
          size="large"
          busy={busy}
          onClick={({ currentTarget: { form } }) => form?.reportValidity() && submit(form)}
        >
          {method === 'passkey' ? words.passkey : auth.login}
        </Button>
      )}
      {usable
        .filter((other) => other !== method)
        .map((other) => (
          <button key={other} type="button" className={textButton.button} onClick={() => setChosen(other)}>
            {words.other[other]}
          </button>
        ))}
      <button type="button" className={textButton.button} onClick={onBack}>
        {words.back}
      </button>
    </>
  );
}

/** Reports why a passkey or a second step failed. */
export function reportFailure(error: unknown): void {
  const problem = passkeyProblem(error);
  const onDevice = problem === 'address' ? texts.wrongAddress : texts.cancelled;
  showError(texts.second.failed, problem === undefined ? reasonOf(error) : onDevice);
}
