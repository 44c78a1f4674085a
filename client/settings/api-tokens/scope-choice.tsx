import { useState } from 'react';
import type { Scope } from '../../../server/contract.ts';
import { tokens as texts } from '../../text/words.ts';
import form from '../form.module.css';
import { scopes } from './token-choice.ts';
import styles from './tokens-box.module.css';

interface ScopeChoiceProps {
  chosen: readonly Scope[];
  onChoose: (scopes: readonly Scope[]) => void;
  /** Why the choice was refused. */
  error: string | undefined;
}

/** What a token may do: upload only, or some of all scopes. */
export function ScopeChoice({ chosen, onChoose, error }: ScopeChoiceProps) {
  const [isOwn, setOwn] = useState(false);
  const { may, choose } = texts.form;
  const change = (own: boolean) => {
    setOwn(own);
    if (!own) onChoose(['images:upload']);
  };
  const toggle = (scope: Scope) => {
    const others = chosen.filter((one) => one !== scope);
    onChoose(others.length === chosen.length ? [...chosen, scope] : others);
  };
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{may}</legend>
      <label className={form.check}>
        <input type="radio" name="may" checked={!isOwn} onChange={() => change(false)} />
        {texts.uploadOnly}
      </label>
      <label className={form.check}>
        <input type="radio" name="may" checked={isOwn} onChange={() => change(true)} />
        {choose}
      </label>
      {isOwn ? (
        <div className={styles.scopes}>
          {scopes.map((scope) => (
            <label key={scope} className={form.check}>
              <input
                type="checkbox"
                name="scope"
                checked={chosen.includes(scope)}
                aria-invalid={error ? true : undefined}
                onChange={() => toggle(scope)}
              />
              {texts.scopes[scope]}
            </label>
          ))}
        </div>
      ) : null}
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
