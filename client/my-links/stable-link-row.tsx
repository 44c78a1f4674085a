import { Suspense, useRef, useState } from 'react';
import type { Image, StableLink } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { hiddenState } from '../image/card/hidden-picture.tsx';
import { useIsExpired } from '../image/expiry/use-time-left.ts';
import { editStableLink, removeStableLink } from '../image/links/stable-links.ts';
import { StableNameForm } from '../image/links/stable-name-form.tsx';
import { focusAfter } from '../lib/focus.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { preview, links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { CopyLink, LinkRow } from './link-row.tsx';
import styles from './my-links.module.css';

const QrDialog = lazyPart(async () => ({ default: (await import('../image/links/qr-dialog.tsx')).QrDialog }));
const ImagePicker = lazyPart(async () => ({ default: (await import('./image-picker.tsx')).ImagePicker }));

type Opened = 'qr' | 'picker' | 'name';

/** The image's filename, and why the link does not show it. */
function Note({ image }: { image: Image | null }) {
  const isExpired = useIsExpired(image ?? { expires_at: null });
  if (image === null) return <>{texts.stable.noImage}</>;
  const state = image.hidden ? hiddenState(image) : isExpired ? preview.expiry.expired : undefined;
  return (
    <>
      <bdi>{image.filename}</bdi>
      {state === undefined ? null : <strong className={styles.state}>{state}</strong>}
    </>
  );
}

/** A stable link and all that its owner does with it. */
export function StableLinkRow({ link }: { link: StableLink }) {
  const { id, name, url, image } = link;
  const { stable } = texts;
  const [opened, setOpened] = useState<Opened>();
  const [busy, setBusy] = useState(false);
  const renamer = useRef<HTMLButtonElement>(null);
  const isExpired = useIsExpired(image ?? { expires_at: null });
  const close = (): void => setOpened(undefined);
  const closeForm = (): void => focusAfter(close, () => renamer.current);

  const rename = async (wanted: string): Promise<void> => {
    await editStableLink(id, { name: wanted });
    showSuccess(stable.renamed);
    closeForm();
  };
  const point = async (to: Image): Promise<void> => {
    setBusy(true);
    try {
      await editStableLink(id, { image: to.id });
      showSuccess(stable.pointed);
      close();
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
    setBusy(false);
  };
  const remove = async (): Promise<void> => {
    const { title, text, yes } = stable.confirmRemove;
    if (!(await confirm({ title, text: text(name), confirm: yes, cancel: texts.cancel }, texts.failed))) return;
    try {
      await removeStableLink(id);
      showSuccess(stable.removed);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  };
  const picture = image === null || image.hidden || isExpired ? undefined : image;
  return (
    <LinkRow
      picture={picture}
      title={
        <span dir="ltr" title={url}>
          {`/l/${name}`}
        </span>
      }
      note={<Note image={image} />}
    >
      {opened === 'name' ? (
        <StableNameForm name={name} save={texts.save} onSave={rename} onCancel={closeForm} />
      ) : (
        <>
          <CopyLink name={name} url={url} />
          <Button variant="ghost" aria-label={texts.qr.named(name)} onClick={() => setOpened('qr')}>
            {texts.qr.button}
          </Button>
          <Button variant="ghost" aria-label={stable.pointNamed(name)} onClick={() => setOpened('picker')}>
            {stable.point}
          </Button>
          <Button ref={renamer} variant="ghost" aria-label={stable.renameNamed(name)} onClick={() => setOpened('name')}>
            {stable.rename}
          </Button>
          <Button
            variant="ghost"
            className={styles.remove}
            aria-label={stable.removeNamed(name)}
            onClick={() => void remove()}
          >
            {stable.remove}
          </Button>
        </>
      )}
      <Suspense>
        {opened === 'qr' ? <QrDialog name={name} url={url} onClose={close} /> : null}
        {opened === 'picker' ? (
          <ImagePicker title={stable.pointNamed(name)} busy={busy} onPick={(to) => void point(to)} onClose={close} />
        ) : null}
      </Suspense>
    </LinkRow>
  );
}
