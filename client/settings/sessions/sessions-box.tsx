import { useRef } from 'react';
import type { Session } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { useBusy } from '../../lib/hooks/use-busy.ts';
import { settings as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { Box } from '../box.tsx';
import { LoginMails } from '../login-mails.tsx';
import rows from '../rows.module.css';
import type { MailState } from '../use-mail-settings.ts';
import { Waiting } from '../waiting.tsx';
import { SessionRow } from './session-row.tsx';
import styles from './sessions-box.module.css';
import type { useSessions } from './use-sessions.ts';

type Parts = Omit<ReturnType<typeof useSessions>, 'sessions' | 'busy'> & { list: readonly Session[] };

function SessionList({ list, end, endOthers, reload }: Parts) {
  const [busy, start] = useBusy();
  const place = useRef<HTMLUListElement>(null);

  /** Ends sessions; the focus moves from the removed button to the list. */
  const ending = (work: () => Promise<number>) =>
    start(async () => {
      try {
        const ended = await work();
        place.current?.focus();
        showSuccess(texts.sessions.ended(ended));
      } catch (error) {
        showError(texts.sessions.endFailed, reasonOf(error));
        // The session may have ended elsewhere.
        reload();
      }
    });
  const endOne = (id: string) =>
    ending(async () => {
      await end(id);
      return 1;
    });

  return (
    <>
      <ul className={rows.list} ref={place} tabIndex={-1} aria-label={texts.sessions.title}>
        {list.map((session) => (
          <SessionRow key={session.id} session={session} busy={busy} onEnd={() => endOne(session.id)} />
        ))}
      </ul>
      {list.length > 1 ? (
        <Button variant="line" busy={busy} className={styles.others} onClick={() => ending(endOthers)}>
          {texts.sessions.endOthers}
        </Button>
      ) : null}
    </>
  );
}

export type SessionsBoxProps = ReturnType<typeof useSessions> & { mail: MailState };

/** The account's active sessions. */
export default function SessionsBox({ sessions, mail, busy, ...actions }: SessionsBoxProps) {
  return (
    <Box title={texts.sessions.title} span="wide">
      {sessions === 'loading' ? <Waiting lines={3} text={texts.sessions.loading} /> : null}
      {sessions === 'failed' ? (
        <LoadError
          size="line"
          text={texts.sessions.loadFailed}
          retry={texts.retry}
          busy={busy}
          onRetry={actions.reload}
        />
      ) : null}
      {typeof sessions === 'string' ? null : <SessionList list={sessions} {...actions} />}
      <LoginMails mail={mail.mail} setLoginMails={mail.setLoginMails} />
    </Box>
  );
}
