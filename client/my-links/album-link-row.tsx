import { Suspense, useState } from 'react';
import type { Album } from '../../server/contract.ts';
import { endAlbumLink } from '../api/albums.ts';
import { reasonOf } from '../api/api-error.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { albumsKey } from '../query/keys.ts';
import { invalidate } from '../query/queries.ts';
import { albumPath } from '../routes.ts';
import { albums, links as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { CopyLink, LinkRow } from './link-row.tsx';
import styles from './my-links.module.css';

const QrDialog = lazyPart(async () => ({ default: (await import('../image/links/qr-dialog.tsx')).QrDialog }));

/** An album's public page. @param url its link */
export function AlbumLinkRow({ album: { id, name, count, covers, views }, url }: { album: Album; url: string }) {
  const { link } = albums;
  const [hasCode, setCode] = useState(false);
  const end = async (): Promise<void> => {
    const { title, text, yes } = link.confirm;
    if (!(await confirm({ title, text, confirm: yes, cancel: texts.cancel }, texts.failed))) return;
    try {
      await endAlbumLink(id);
      invalidate(albumsKey);
      showSuccess(link.ended);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  };
  const note = (
    <>
      <span>{albums.count(count)}</span>
      <span>{texts.shares.views(views)}</span>
    </>
  );
  return (
    <LinkRow picture={covers[0]} title={<bdi>{name}</bdi>} note={note}>
      <CopyLink name={name} url={url} />
      <Button variant="ghost" aria-label={texts.qr.named(name)} onClick={() => setCode(true)}>
        {texts.qr.button}
      </Button>
      <ButtonLink variant="ghost" href={albumPath(id)}>
        {texts.shared.open}
      </ButtonLink>
      <Button variant="ghost" className={styles.remove} onClick={() => void end()}>
        {link.end}
      </Button>
      <Suspense>{hasCode ? <QrDialog name={name} url={url} onClose={() => setCode(false)} /> : null}</Suspense>
    </LinkRow>
  );
}
