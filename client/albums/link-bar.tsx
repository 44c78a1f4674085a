import { Suspense, useRef, useState } from 'react';
import type { Album, Image } from '../../server/contract.ts';
import { endAlbumLink, linkAlbum } from '../api/albums.ts';
import { CollectDialog } from '../collect/lazy-dialogs.ts';
import { ShareDialog } from '../image/shares/lazy-dialogs.ts';
import { copyText } from '../lib/copy-text.ts';
import { isFocusLost } from '../lib/focus.ts';
import { useShortly } from '../lib/hooks/use-shortly.ts';
import { selection, albums as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { COPIED_MS } from '../ui/buttons/use-copied.ts';
import { confirm } from '../ui/dialogs/confirm.ts';
import { Field } from '../ui/fields/field.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './albums.module.css';

interface LinkBarProps {
  album: Album;
  /** Those on the screen. */
  images: readonly Image[];
  /** Runs a call and loads the album again. @returns whether the call succeeded */
  onChange: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Creates, copies and ends the link to the album's public page, shares the album under conditions, and collects images. */
export function LinkBar({ album, images, onChange }: LinkBarProps) {
  const { id, link } = album;
  const [copied, showCopied] = useShortly(COPIED_MS);
  const field = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<'share' | 'collect'>();
  const closeDialog = (): void => setOpened(undefined);
  const words = texts.link;

  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await onChange(work);
    // The change has removed the pressed button.
    if (done && isFocusLost()) bar.current?.querySelector('button')?.focus();
    return done;
  }
  async function end() {
    const { title, text, yes } = words.confirm;
    if (!(await confirm({ title, text, confirm: yes, cancel: texts.cancel }, texts.failedForNow))) return;
    if (await change(() => endAlbumLink(id))) showSuccess(words.ended);
  }
  async function copy(url: string) {
    if (!(await copyText(url, document.body))) {
      field.current?.select();
      showError(words.copyRefused, words.copyByHand);
      return;
    }
    showCopied();
  }

  const dialogs = (
    <>
      <Button variant="line" aria-haspopup="dialog" onClick={() => setOpened('share')}>
        {selection.share}
      </Button>
      <Button variant="line" aria-haspopup="dialog" onClick={() => setOpened('collect')}>
        {words.collect}
      </Button>
      <Suspense>
        {opened === 'share' ? <ShareDialog subject={{ album, images }} onClose={closeDialog} /> : null}
        {opened === 'collect' ? <CollectDialog album={album} onClose={closeDialog} /> : null}
      </Suspense>
    </>
  );
  if (link === null) {
    return (
      <section ref={bar} className={styles.bar} aria-label={words.title}>
        <p>{words.none}</p>
        <Button variant="line" onClick={() => change(() => linkAlbum(id))}>
          {words.make}
        </Button>
        {dialogs}
      </section>
    );
  }
  return (
    <section ref={bar} className={styles.bar} aria-label={words.title}>
      <p>{words.open}</p>
      <Field
        ref={field}
        label={words.label}
        hideLabel
        readOnly
        value={link}
        dir="ltr"
        height="small"
        className={styles.link}
        onFocus={(event) => event.target.select()}
      />
      <Button variant="line" onClick={() => copy(link)}>
        {copied ? words.copied : words.copy}
      </Button>
      <Button variant="ghost" onClick={end}>
        {words.end}
      </Button>
      {dialogs}
    </section>
  );
}
