import type { Session } from '../../../server/contract.ts';
import { settings as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ListedRow, Moment } from '../listed-row.tsx';
import styles from '../rows.module.css';

function nameOf({ browser, system }: Session): string {
  if (browser && system) return texts.sessions.on(browser, system);
  return browser ?? system ?? texts.sessions.unknown;
}

/** How it was opened. */
function openingOf({ method, second_factor: factor }: Session): string {
  const { methods, factors } = texts.sessions;
  return method === 'password' && factor !== null ? factors[factor] : methods[method];
}

interface SessionRowProps {
  session: Session;
  /** Whether a session is being ended: one at a time. */
  busy: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const name = nameOf(session);
  return (
    <ListedRow
      name={name}
      facts={
        <>
          {session.current ? <strong>{texts.sessions.current}</strong> : null}
          {session.current ? null : <Moment label={texts.sessions.seen} at={session.seen_at} />}
          <Moment label={texts.sessions.begun} at={session.created_at} />
          <span>{openingOf(session)}</span>
        </>
      }
    >
      {session.current ? null : (
        <Button
          variant="ghost"
          className={styles.end}
          aria-label={texts.sessions.endNamed(name)}
          aria-disabled={busy || undefined}
          onClick={onEnd}
        >
          {texts.sessions.end}
        </Button>
      )}
    </ListedRow>
  );
}
