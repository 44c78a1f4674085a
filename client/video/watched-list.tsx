import { Play, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { focusAfter } from '../lib/focus.ts';
import { video as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { Watched } from './use-watched.ts';
import { nextLink } from './watched.ts';
import styles from './watched-list.module.css';

interface WatchedListProps {
  watched: Watched;
  onPlay: (link: string) => void;
}

/** The recent links. A removal can be undone until another video plays or the page is left. */
export function WatchedList({ watched, onPlay }: WatchedListProps) {
  const { links, before } = watched;
  const heading = useId();
  const removers = useRef(new Map<string, HTMLButtonElement>());
  const undo = useRef<HTMLButtonElement>(null);
  const title = useRef<HTMLHeadingElement>(null);

  function remove(link: string) {
    const next = nextLink(links, link);
    focusAfter(
      () => watched.remove(link),
      () => removers.current.get(next ?? '') ?? undo.current,
    );
  }
  function clear() {
    focusAfter(
      () => watched.clear(),
      () => undo.current,
    );
  }
  function bringBack() {
    focusAfter(
      () => watched.undo(),
      () => title.current,
    );
  }

  if (links.length === 0 && before === null) return null;
  return (
    <section className={styles.watched} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading} ref={title} tabIndex={-1}>
          {texts.watched.title}
        </h2>
        {links.length > 0 ? (
          <Button variant="ghost" onClick={clear}>
            {texts.watched.clear}
          </Button>
        ) : null}
      </div>
      <div className={styles.undo} data-shown={before !== null || undefined}>
        <p role="status">{before ? texts.watched.removed(before.length - links.length) : ''}</p>
        {before ? (
          <Button variant="line" ref={undo} onClick={bringBack}>
            {texts.watched.undo}
          </Button>
        ) : null}
      </div>
      {links.length > 0 ? (
        <ol className={styles.links} aria-labelledby={heading}>
          {links.map((link) => (
            <li key={link}>
              <button
                type="button"
                className={styles.play}
                aria-label={texts.watched.play(link)}
                onClick={() => onPlay(link)}
              >
                <Play />
                <bdi dir="ltr">{link}</bdi>
              </button>
              <IconButton
                ref={(button) => {
                  if (button) removers.current.set(link, button);
                  else removers.current.delete(link);
                }}
                label={texts.watched.remove(link)}
                onClick={() => remove(link)}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ol>
      ) : null}
    </section>
  );
}
