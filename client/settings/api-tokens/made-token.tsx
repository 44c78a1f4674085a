import { Download } from 'lucide-react';
import { useRef } from 'react';
import type { CreatedApiToken, ProfileProgram } from '../../../server/contract.ts';
import { focusOnMount } from '../../lib/focus.ts';
import { saveBytes } from '../../lib/save-bytes.ts';
import { tokens as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useCopied } from '../../ui/buttons/use-copied.ts';
import { Field } from '../../ui/fields/field.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import form from '../form.module.css';
import { CommandLine } from './command-line.tsx';
import { Steps } from './steps.tsx';
import styles from './tokens-box.module.css';

type Profile = NonNullable<CreatedApiToken['profile']>;

function Secret({ secret }: Pick<CreatedApiToken, 'secret'>) {
  const { secret: label, copy, copied, copyRefused, copyByHand } = texts.made;
  const field = useRef<HTMLInputElement>(null);
  const [state, copyText] = useCopied(() => {
    field.current?.select();
    showError(copyRefused, copyByHand);
  });
  return (
    <div className={styles.secret}>
      <Field
        ref={field}
        label={label}
        readOnly
        value={secret}
        dir="ltr"
        className={styles.code}
        onFocus={(event) => event.target.select()}
      />
      <Button variant="line" onClick={({ currentTarget }) => copyText(secret, currentTarget)}>
        {state === 'copied' ? copied : copy}
      </Button>
    </div>
  );
}

const save = ({ filename, content_type: type, text }: Profile) => saveBytes(new Blob([text], { type }), filename);

interface MadeTokenProps {
  made: CreatedApiToken;
  program: ProfileProgram | undefined;
  onClose: () => void;
}

/** A new token: its secret and its profile, which the server does not show again. */
export function MadeToken({ made: { token, secret, profile }, program, onClose }: MadeTokenProps) {
  const { title, once, onceWithFile, how, download, done } = texts.made;
  return (
    <div className={`${form.form} ${styles.panel}`}>
      <h3 ref={focusOnMount} tabIndex={-1} className={styles.heading}>
        {title(token.name)}
      </h3>
      <p className={styles.warning}>{profile ? onceWithFile : once}</p>
      <Secret secret={secret} />
      {program ? <p>{how[program]}</p> : null}
      {profile && program === 'ios' ? <Steps text={profile.text} /> : null}
      {program === 'cli' ? <CommandLine /> : null}
      <div className={form.row}>
        {profile ? (
          <Button variant="line" onClick={() => save(profile)}>
            <Download />
            {download(profile.filename)}
          </Button>
        ) : null}
        <Button variant="line" onClick={onClose}>
          {done}
        </Button>
      </div>
    </div>
  );
}
