import { type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import type { Image, StableLink } from '../../../server/contract.ts';
import { focusAfter, focusOnMount } from '../../lib/focus.ts';
import { useQuery } from '../../query/use-query.ts';
import { selection, links as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import textButton from '../../ui/buttons/text-button.module.css';
import { useCopied } from '../../ui/buttons/use-copied.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import panel from '../preview/preview-panel.module.css';
import { ShareDialog } from '../shares/lazy-dialogs.ts';
import { replaceAndReport } from './ask-to-replace.ts';
import styles from './links.module.css';
import { addStableLink, stableLinksQuery } from './stable-links.ts';
import { StableNameForm } from './stable-name-form.tsx';

function StableLinkLine({ link: { name, url } }: { link: StableLink }) {
  const [state, copy] = useCopied(() => showError(texts.copyRefused));
  return (
    <li className={styles.line}>
      <span dir="ltr" title={url}>
        {`/l/${name}`}
      </span>
      <button
        type="button"
        className={textButton.button}
        aria-label={texts.stable.copyNamed(name)}
        onClick={(event) => copy(url, event.currentTarget)}
      >
        {state === 'copied' ? texts.copied : texts.copy}
      </button>
    </li>
  );
}

/** Asks in place, because the overlay handles the keys that reach a question above it. */
function ReplaceQuestion({ id, onClose }: { id: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const replace = async (): Promise<void> => {
    setBusy(true);
    await replaceAndReport([id]);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    event.preventDefault();
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes only the question
    <div className={styles.form} onKeyDown={onKeyDown}>
      <p className={styles.question}>{texts.replace.confirmText(1)}</p>
      <div className={styles.buttons}>
        <Button variant="danger" busy={busy} onClick={() => void replace()}>
          {texts.replace.yes}
        </Button>
        <Button ref={focusOnMount} variant="ghost" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}

type Opened = 'name' | 'question';

/** The image's stable links, and what shares it or gives it a stable or a new link. */
export function LinkSection({ image }: { image: Image }) {
  const { id } = image;
  const { data } = useQuery(stableLinksQuery, true);
  const [opened, setOpened] = useState<Opened>();
  const [sharing, setSharing] = useState(false);
  const openers = { name: useRef<HTMLButtonElement>(null), question: useRef<HTMLButtonElement>(null) };
  const own = (data ?? []).filter(({ image }) => image?.id === id);
  const close = (): void => {
    const opener = opened && openers[opened];
    focusAfter(
      () => setOpened(undefined),
      () => opener?.current ?? null,
    );
  };
  const create = async (name: string): Promise<void> => {
    await addStableLink({ name, image: id });
    showSuccess(texts.stable.created);
    close();
  };
  const opener = (which: Opened, text: string): ReactNode => (
    <button type="button" ref={openers[which]} className={textButton.button} onClick={() => setOpened(which)}>
      {text}
    </button>
  );
  return (
    <section className={styles.section} aria-label={texts.section}>
      {own.length === 0 ? null : (
        <dl className={panel.facts}>
          <div>
            <dt>{texts.stable.label}</dt>
            <dd>
              <ul>
                {own.map((link) => (
                  <StableLinkLine key={link.id} link={link} />
                ))}
              </ul>
            </dd>
          </div>
        </dl>
      )}
      {opened === 'name' ? <StableNameForm save={texts.stable.save} onSave={create} onCancel={close} /> : null}
      {opened === 'question' ? <ReplaceQuestion id={id} onClose={close} /> : null}
      {opened === undefined ? (
        <p className={styles.openers}>
          <button type="button" className={textButton.button} onClick={() => setSharing(true)}>
            {selection.share}
          </button>
          {opener('name', texts.stable.create)}
          {opener('question', texts.replace.button)}
        </p>
      ) : null}
      <Suspense>
        {sharing ? <ShareDialog subject={{ images: [image] }} onClose={() => setSharing(false)} /> : null}
      </Suspense>
    </section>
  );
}
