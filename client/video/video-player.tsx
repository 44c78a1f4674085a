import { Link as LinkIcon, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { texts } from '../text/video.ts';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useSettled } from './use-settled.ts';
import { VideoFrame } from './video-frame.tsx';
import styles from './video-player.module.css';

/** The text box for a link, and the frame that appears as soon as there is a text. */
export function VideoPlayer() {
  const [text, setText] = useState('');
  const settled = useSettled(text);
  const input = useRef<HTMLInputElement>(null);

  function clear() {
    setText('');
    input.current?.focus();
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
        onChange={(event) => setText(event.target.value)}
        icon={<LinkIcon />}
        end={
          text ? (
            <IconButton label={texts.clear} onClick={clear}>
              <X />
            </IconButton>
          ) : null
        }
      />
      {text ? <VideoFrame link={settled} /> : <Outline />}
    </>
  );
}

/** Where the frame will be. */
function Outline() {
  return (
    <div className={styles.outline} aria-hidden="true">
      {Array.from({ length: 9 * 5 }, (_, tile) => tile).map((tile) => (
        <i key={tile} />
      ))}
    </div>
  );
}
