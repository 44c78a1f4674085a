import { type ReactNode, useState } from 'react';
import type { Factors, Passkey } from '../../../server/contract.ts';
import { hasPasskeys } from '../../lib/webauthn.ts';
import { settings, factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { showSuccess } from '../../ui/toasts/toast.ts';
import { Box } from '../box.tsx';
import form from '../form.module.css';
import rows from '../rows.module.css';
import { Waiting } from '../waiting.tsx';
import { AppDialog } from './app-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import styles from './factors-box.module.css';
import { PasskeyRow } from './passkey-row.tsx';
import { ProofPrompt } from './proof-prompt.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { isAddition, isRemoval, labelOf, type Outcome, run, type Task } from './task.ts';
import { useFactors } from './use-factors.ts';

function Part({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.title}>{title}</h3>
      <p>{note}</p>
      {children}
    </div>
  );
}

type Begin = (task: Task) => void;

const Start = ({ kind, begin }: { kind: Exclude<Task['kind'], 'remove-passkey'>; begin: Begin }) => (
  <div className={form.row}>
    <Button variant="line" onClick={() => begin({ kind })}>
      {labelOf({ kind })}
    </Button>
  </div>
);

interface PasskeysProps extends Pick<Factors, 'passkeys' | 'passkey_obstacle' | 'passkey_origin'> {
  begin: Begin;
  onRename: (passkey: Passkey) => void;
}

/** Why passkeys cannot be added here, if they cannot. */
function obstacleTo({ passkey_obstacle: known, passkey_origin: origin }: Omit<PasskeysProps, 'begin' | 'onRename'>) {
  const { obstacles, elsewhere } = texts.passkeys;
  if (known !== null) return obstacles[known];
  if (origin !== null && origin !== location.origin) return elsewhere(origin);
  return hasPasskeys() ? undefined : obstacles.browser;
}

function Passkeys({ passkeys, begin, onRename, ...place }: PasskeysProps) {
  const words = texts.passkeys;
  const obstacle = obstacleTo({ passkeys, ...place });
  return (
    <Part title={words.title} note={words.note}>
      {passkeys.length === 0 ? <p>{words.none}</p> : null}
      {passkeys.length === 0 ? null : (
        <ul className={rows.list} aria-label={words.title}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => onRename(passkey)}
              onRemove={() => begin({ kind: 'remove-passkey', passkey })}
            />
          ))}
        </ul>
      )}
      {obstacle === undefined ? <Start kind="add-passkey" begin={begin} /> : <p>{obstacle}</p>}
    </Part>
  );
}

/** What is open above the box. */
type Open = { task: Task } | { rename: Passkey } | Pick<Outcome, 'app' | 'codes'>;

function Parts({ factors }: { factors: Factors }) {
  const [open, setOpen] = useState<Open>({});
  const close = () => setOpen({});
  const begin = (task: Task) => setOpen({ task });
  const done = ({ toast, ...next }: Outcome) => {
    setOpen(next);
    if (toast) showSuccess(toast);
  };
  const { totp, recovery_codes: left, passkeys, has_password: hasPassword } = factors;
  const { app, codes } = texts;
  const hasNone = !totp && passkeys.length === 0;
  return (
    <>
      <Passkeys {...factors} begin={begin} onRename={(rename) => setOpen({ rename })} />
      <Part title={app.title} note={app.note}>
        {totp ? <p>{app.isOn}</p> : null}
        <Start kind={totp ? 'remove-app' : 'set-up-app'} begin={begin} />
      </Part>
      {hasPassword ? (
        <Part title={codes.title} note={codes.note}>
          <p>{hasNone ? codes.none : codes.left(left)}</p>
          {hasNone ? null : <Start kind="new-codes" begin={begin} />}
        </Part>
      ) : null}
      {'task' in open ? (
        <ProofPrompt
          removal={isRemoval(open.task) ? labelOf(open.task) : undefined}
          onProof={async (proof) => done(await run(open.task, proof))}
          onClose={close}
        >
          <p>
            <bdi>{labelOf(open.task)}</bdi>
          </p>
          {hasNone && isAddition(open.task) ? <p>{texts.proof.endsOthers}</p> : null}
          {isRemoval(open.task) && hasPassword ? <p>{texts.proof.losing}</p> : null}
        </ProofPrompt>
      ) : null}
      {'rename' in open ? <RenameDialog passkey={open.rename} onClose={close} /> : null}
      {'app' in open && open.app ? (
        <AppDialog
          app={open.app}
          onDone={({ recovery_codes }) => done({ toast: app.added, codes: recovery_codes })}
          onClose={close}
        />
      ) : null}
      {'codes' in open && open.codes ? <CodesDialog codes={open.codes} onClose={close} /> : null}
    </>
  );
}

/** The account's passkeys, authenticator app and recovery codes. @param mustSetUp whether the account can do nothing else before */
export default function FactorsBox({ mustSetUp }: { mustSetUp: boolean }) {
  const { factors, busy, reload } = useFactors();
  const isSetUp = typeof factors !== 'string' && (factors.totp || factors.passkeys.length > 0);
  const hasPassword = typeof factors === 'string' || factors.has_password;
  return (
    <Box title={settings.factors.title} span="full">
      <p>{mustSetUp && !isSetUp ? texts.mustSetUp : hasPassword ? texts.note : texts.noteWithoutPassword}</p>
      {factors === 'loading' ? <Waiting lines={3} text={settings.factors.loading} /> : null}
      {factors === 'failed' ? (
        <LoadError size="line" text={settings.factors.loadFailed} retry={settings.retry} busy={busy} onRetry={reload} />
      ) : null}
      {typeof factors === 'string' ? null : <Parts factors={factors} />}
      {mustSetUp && isSetUp ? (
        <div className={form.row}>
          <Button variant="primary" onClick={() => window.location.assign('/')}>
            {texts.goOn}
          </Button>
        </div>
      ) : null}
    </Box>
  );
}
