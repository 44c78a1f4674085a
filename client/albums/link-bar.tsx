import { useEffect, useRef, useState } from 'react';
import { endAlbumLink, linkAlbum } from '../api/albums.ts';
import { copyText } from '../lib/copy-text.ts';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.ts';
import { Field } from '../ui/field.tsx';
import { showError, showSuccess } from '../ui/toast.ts';
import styles from './albums.module.css';
import { attempt } from './attempt.ts';
import { isLost } from './use-steady-focus.ts';

/** Creates, copies and ends the link to the album's public page. */
export function LinkBar({ id, link, onChange }: { id: string; link: string | null; onChange: () => void }) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const bar = useRef<HTMLElement>(null);
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the link removes the pressed button
  useEffect(() => {
    if (pressed.current && isLost()) bar.current?.querySelector('button')?.focus();
    pressed.current = false;
  }, [link]);
  const words = texts.link;

  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await attempt(work);
    pressed.current = done;
    onChange();
    return done;
  }
  async function end() {
    const { title, text, yes } = words.confirm;
    if (!(await confirm({ title, text, confirm: yes, cancel: texts.cancel }))) return;
    if (await change(() => endAlbumLink(id))) showSuccess(words.ended);
  }
  async function copy(url: string) {
    if (!(await copyText(url, document.body))) {
      field.current?.focus();
      showError(words.copyRefused, words.copyByHand);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }

  if (link === null) {
    return (
      <section ref={bar} className={styles.bar} aria-label={words.title}>
        <p>{words.none}</p>
        <Button variant="line" onClick={() => change(() => linkAlbum(id))}>
          {words.make}
        </Button>
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
    </section>
  );
}
