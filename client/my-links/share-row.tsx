import { Images } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Share } from '../../server/contract.ts';
import { describeEnd } from '../image/expiry/time-left.ts';
import { useTimeLeft } from '../image/expiry/use-time-left.ts';
import { EditShareDialog } from '../image/shares/lazy-dialogs.ts';
import { removeShare } from '../image/shares/shares.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { albumPath } from '../routes.ts';
import { albums, links as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { EditableRow } from './editable-row.tsx';
import styles from './my-links.module.css';

const ShareImages = lazyPart(async () => ({ default: (await import('./share-images.tsx')).ShareImages }));

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

/** To what it shows: its album, or the images of a selection. */
function ImagesButton({ share }: { share: Share }) {
  const { pictures } = texts.shares;
  const [isOpen, setOpen] = useState(false);
  if (share.album !== null)
    return (
      <ButtonLink variant="ghost" href={albumPath(share.album)}>
        {texts.shared.open}
      </ButtonLink>
    );
  return (
    <>
      <Button variant="ghost" aria-label={pictures.of(share.name)} onClick={() => setOpen(true)}>
        {pictures.button}
      </Button>
      <Suspense>{isOpen ? <ShareImages share={share} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}

/** A share and all that its owner does with it. @param albumLink of its album's public page; null for none */
export function ShareRow({ share, albumLink }: { share: Share; albumLink: string | null }) {
  const { shares } = texts;
  return (
    <EditableRow
      link={share}
      icon={<Images aria-hidden="true" />}
      note={<Note share={share} />}
      ending={shares.confirmEnd}
      ended={shares.endDone}
      onEnd={() => removeShare(share.id)}
      editor={(close) => <EditShareDialog share={share} albumLink={albumLink} onClose={close} />}
    >
      <ImagesButton share={share} />
    </EditableRow>
  );
}
