import { Suspense, useState } from 'react';
import type { Invite } from '../../server/contract.ts';
import { endInvite } from '../api/administration.ts';
import { signInOptionsQuery } from '../layout/sign-in-options.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useQuery } from '../query/use-query.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { invitesQuery } from './queries.ts';
import { run, runAfter } from './run.ts';

const InviteDialog = lazyPart(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }));

function Row({ invite }: { invite: Invite }) {
  const { invites, overview } = texts;
  const { name, email, uses, max_uses: most, expires_at: until, quota_images: images, quota_bytes: bytes } = invite;
  const { title, text, yes } = invites.confirmEnd;
  const endIt = async (done: string): Promise<string> => {
    await endInvite(invite.id);
    return done;
  };
  const end = () => runAfter({ title, text: text(name), confirm: yes }, () => endIt(invites.ended));
  /** Nobody can use it, so this only shortens the list. */
  const remove = () => run(() => endIt(invites.removed));
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p className={styles.note}>
          {invite.usable ? null : <strong className={styles.alarm}>{invites.unusable}</strong>}
          <span>{invites.used(uses, most)}</span>
          <span>{until === null ? invites.forever : invites.until(formatMoment(until))}</span>
          {email === null ? null : <bdi>{email}</bdi>}
          {images === null ? null : <span>{overview.count(images)}</span>}
          {bytes === null ? null : <span>{formatBytes(bytes)}</span>}
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="ghost"
          className={styles.danger}
          aria-label={invite.usable ? invites.endNamed(name) : invites.removeNamed(name)}
          onClick={() => void (invite.usable ? end() : remove())}
        >
          {invite.usable ? invites.end : invites.remove}
        </Button>
      </div>
    </li>
  );
}

export function Invites() {
  const { invites } = texts;
  const [isOpen, setOpen] = useState(false);
  const isClosed = useQuery(signInOptionsQuery, true).data?.registration === 'closed';
  return (
    <>
      <p className={styles.quiet}>{isClosed ? invites.closed : invites.about}</p>
      {isClosed ? null : (
        <div className={styles.actions}>
          <Button variant="line" onClick={() => setOpen(true)}>
            {invites.create}
          </Button>
        </div>
      )}
      <Loaded query={invitesQuery}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.quiet}>{invites.empty}</p>
          ) : (
            <ul className={styles.list}>
              {list.map((invite) => (
                <Row key={invite.id} invite={invite} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Suspense>{isOpen ? <InviteDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}
