import { Link as LinkIcon, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { video as texts } from '../text/words.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { useSettled } from './use-settled.ts';
import { type KeptLinks, useWatched } from './use-watched.ts';
import { VideoFrame } from './video-frame.tsx';
import styles from './video-player.module.css';
import { WatchedList } from './watched-list.tsx';

/** The field for a link, the player that appears with any text, and the recent links. */
export function VideoPlayer({ kept }: { kept: KeptLinks }) {
  const [text, setText] = useState('');
  const settled = useSettled(text);
  const input = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const watched = useWatched(kept);
  /** The last watched link that the current text extends by typing. */
  const growing = useRef<string>(undefined);

  function change(next: string) {
    if (growing.current !== undefined && !next.trim().startsWith(growing.current)) growing.current = undefined;
    setText(next);
  }
  function clear() {
    change('');
    input.current?.focus();
  }
  function play(link: string) {
    growing.current = undefined;
    setText(link);
    frame.current?.scrollIntoView({ block: 'nearest' });
  }
  function shown(link: string) {
    watched.add(link, growing.current);
    growing.current = link;
  }

  return (
    <>
      <Field
        ref={input}
        label={texts.label}
        placeholder={texts.placeholder}
        type="text"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
        icon={<LinkIcon />}
        end={
          text ? (
            <IconButton label={texts.clear} onClick={clear}>
              <X />
            </IconButton>
          ) : null
        }
      />
      <div ref={frame}>{text ? <VideoFrame link={settled} onShown={shown} /> : <Outline />}</div>
      <WatchedList watched={watched} onPlay={play} />
    </>
  );
}

/** A placeholder for the frame. */
function Outline() {
  return (
    <div className={styles.outline} aria-hidden="true">
      {Array.from({ length: 9 * 5 }, (_, tile) => tile).map((tile) => (
        <i key={tile} />
      ))}
    </div>
  );
}
