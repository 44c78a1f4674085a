import { ImagePlus, LockKeyhole } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Album, CollectLink } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { removeCollectLink } from '../collect/collect-links.ts';
import { EditCollectDialog } from '../collect/lazy-dialogs.ts';
import { describeEnd } from '../image/expiry/time-left.ts';
import { useTimeLeft } from '../image/expiry/use-time-left.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.ts';
import { showError, showSuccess } from '../ui/toast.ts';
import { CopyLink, LinkRow } from './link-row.tsx';
import styles from './my-links.module.css';

const QrDialog = lazy(async () => ({ default: (await import('../image/links/qr-dialog.tsx')).QrDialog }));

interface CollectRowProps {
  link: CollectLink;
  /** Undefined until the albums have loaded. */
  album: Pick<Album, 'name'> | undefined;
}

/** Its album, until when it is open, and what it has collected. */
function Note({ link, album }: CollectRowProps) {
  const { collect, shares } = texts;
  const { expires_at: end } = link;
  const left = useTimeLeft(end);
  return (
    <>
      {album === undefined || album.name === link.name ? null : <bdi>{album.name}</bdi>}
      {end === null || left === 0 ? null : <time dateTime={end}>{describeEnd(end, left).full}</time>}
      <span>{collect.files(link.files, link.max_files)}</span>
      <span>{collect.bytes(formatBytes(link.bytes), formatBytes(link.max_bytes))}</span>
      {link.waiting > 0 ? <strong>{collect.waiting(link.waiting)}</strong> : null}
      {link.protected ? <span>{shares.protected}</span> : null}
      {left === 0 ? <strong className={styles.state}>{shares.ended}</strong> : null}
    </>
  );
}

/** A collect link and all that its owner does with it. */
export function CollectRow({ link, album }: CollectRowProps) {
  const { collect, shares } = texts;
  const { id, name, url } = link;
  const [opened, setOpened] = useState<'qr' | 'edit'>();
  const close = (): void => setOpened(undefined);
  const end = async (): Promise<void> => {
    const { title, text, yes } = collect.confirmEnd;
    if (!(await confirm({ title, text: text(name), confirm: yes, cancel: texts.cancel }, texts.failed))) return;
    try {
      await removeCollectLink(id);
      showSuccess(collect.endDone);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  };
  return (
    <LinkRow
      picture={link.protected ? <LockKeyhole aria-hidden="true" /> : <ImagePlus aria-hidden="true" />}
      title={<bdi>{name}</bdi>}
      note={<Note link={link} album={album} />}
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
        {opened === 'edit' ? <EditCollectDialog link={link} onClose={close} /> : null}
      </Suspense>
    </LinkRow>
  );
}
