import { Images, LockKeyhole } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Share } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { describeEnd } from '../image/expiry/time-left.ts';
import { useTimeLeft } from '../image/expiry/use-time-left.ts';
import { EditShareDialog } from '../image/shares/lazy-dialogs.ts';
import { removeShare } from '../image/shares/shares.ts';
import { albums, links as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.ts';
import { showError, showSuccess } from '../ui/toast.ts';
import { CopyLink, LinkRow } from './link-row.tsx';
import styles from './my-links.module.css';

const QrDialog = lazy(async () => ({ default: (await import('../image/links/qr-dialog.tsx')).QrDialog }));

/** What it shows, until when, and how often it was opened. */
function Note({ share }: { share: Share }) {
  const { count, expires_at: end, protected: isProtected, short_name: shortName, views } = share;
  const { shares } = texts;
  const left = useTimeLeft(end);
  return (
    <>
      <span>{albums.count(count)}</span>
      {end === null || left === 0 ? null : <time dateTime={end}>{describeEnd(end, left).full}</time>}
      {shortName === null ? null : <span dir="ltr">{`/s/${shortName}`}</span>}
      {isProtected ? <span>{shares.protected}</span> : null}
      <span>{shares.views(views)}</span>
      {left === 0 ? <strong className={styles.state}>{shares.ended}</strong> : null}
    </>
  );
}

/** A share and all that its owner does with it. @param albumLink of its album's public page; null for none */
export function ShareRow({ share, albumLink }: { share: Share; albumLink: string | null }) {
  const { shares } = texts;
  const { id, name, url } = share;
  const [opened, setOpened] = useState<'qr' | 'edit'>();
  const close = (): void => setOpened(undefined);
  const end = async (): Promise<void> => {
    const { title, text, yes } = shares.confirmEnd;
    if (!(await confirm({ title, text: text(name), confirm: yes, cancel: texts.cancel }, texts.failed))) return;
    try {
      await removeShare(id);
      showSuccess(shares.endDone);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  };
  return (
    <LinkRow
      picture={share.protected ? <LockKeyhole aria-hidden="true" /> : <Images aria-hidden="true" />}
      title={<bdi>{name}</bdi>}
      note={<Note share={share} />}
    >
      <CopyLink name={name} url={url} />
      <Button variant="ghost" aria-label={texts.qr.named(name)} onClick={() => setOpened('qr')}>
        {texts.qr.button}
      </Button>
      <Button variant="ghost" aria-label={shares.editNamed(name)} onClick={() => setOpened('edit')}>
        {shares.edit}
      </Button>
      <Button variant="ghost" className={styles.remove} aria-label={shares.endNamed(name)} onClick={() => void end()}>
        {shares.end}
      </Button>
      <Suspense>
        {opened === 'qr' ? <QrDialog name={name} url={url} onClose={close} /> : null}
        {opened === 'edit' ? <EditShareDialog share={share} albumLink={albumLink} onClose={close} /> : null}
      </Suspense>
    </LinkRow>
  );
}
