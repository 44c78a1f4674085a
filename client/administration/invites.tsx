import { lazy, Suspense, useState } from 'react';
import type { Invite } from '../../server/contract.ts';
import { endInvite } from '../api/administration.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { invitesQuery } from './queries.ts';
import { runAfter } from './run.ts';

const InviteDialog = lazy(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }));

function Row({ invite }: { invite: Invite }) {
  const { invites, overview } = texts;
  const { name, email, uses, max_uses: most, expires_at: end, quota_images: images, quota_bytes: bytes } = invite;
  const { title, text, yes } = invites.confirmEnd;
  const remove = () =>
    runAfter({ title, text: text(name), confirm: yes }, async () => {
      await endInvite(invite.id);
      return invites.ended;
    });
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p className={styles.note}>
          {invite.usable ? null : <strong className={styles.alarm}>{invites.unusable}</strong>}
          <span>{invites.used(uses, most)}</span>
          <span>{end === null ? invites.forever : invites.until(formatMoment(end))}</span>
          {email === null ? null : <bdi>{email}</bdi>}
          {images === null ? null : <span>{overview.count(images)}</span>}
          {bytes === null ? null : <span>{formatBytes(bytes)}</span>}
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="ghost"
          className={styles.danger}
          aria-label={invites.endNamed(name)}
          onClick={() => void remove()}
        >
          {invites.end}
        </Button>
      </div>
    </li>
  );
}

export function Invites() {
  const { invites } = texts;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className={styles.quiet}>{invites.about}</p>
      <div className={styles.actions}>
        <Button variant="line" onClick={() => setOpen(true)}>
          {invites.create}
        </Button>
      </div>
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
