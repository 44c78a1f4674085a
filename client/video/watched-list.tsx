import { Play, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { focusAfter, focusOrHeading } from '../lib/focus.ts';
import { video as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import type { Watched } from './use-watched.ts';
import { nextLink } from './watched.ts';
import styles from './watched-list.module.css';

interface WatchedListProps {
  watched: Watched;
  onPlay: (link: string) => void;
}

/** The recent links. */
export function WatchedList({ watched, onPlay }: WatchedListProps) {
  const { links } = watched;
  const heading = useId();
  const removers = useRef(new Map<string, HTMLButtonElement>());

  function remove(link: string) {
    const next = nextLink(links, link);
    focusAfter(
      () => watched.remove(link),
      () => removers.current.get(next ?? ''),
    );
    if (next === undefined) focusOrHeading(null);
  }
  function clear() {
    watched.clear();
    focusOrHeading(null);
  }

  if (links.length === 0) return null;
  return (
    <section className={styles.watched} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{texts.watched.title}</h2>
        <Button variant="ghost" onClick={clear}>
          {texts.watched.clear}
        </Button>
      </div>
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
    </section>
  );
}
