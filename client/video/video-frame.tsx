import { useRef } from 'react';
import { video as texts } from '../text/words.ts';
import styles from './video-frame.module.css';
import { linkIn, videoSource } from './video-link.ts';

/** The permissions that players need. Above all, they must not navigate the page around them. */
const permissions =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation';

/**
 * The 16:9 player for a link. Other text shows an empty frame with a hint; an empty link shows nothing.
 * `onShown`: called once when the frame has loaded, not for navigation inside the player.
 */
export function VideoFrame({ link, onShown }: { link: string; onShown: (link: string) => void }) {
  const source = link.trim() ? videoSource(link, window.location) : null;
  const shown = useRef<EventTarget>(null);
  const refused = link.trim() !== '' && !source;
  return (
    <div className={styles.frame}>
      <iframe
        // A new frame per source: changing the `src` of one frame would add every link to the history.
        key={source}
        title={texts.frameTitle}
        src={source ?? undefined}
        sandbox={source ? permissions : 'allow-scripts'}
        onLoad={({ currentTarget }) => {
          if (!source || shown.current === currentTarget) return;
          shown.current = currentTarget;
          onShown(linkIn(link));
        }}
        tabIndex={source ? undefined : -1}
        allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
        allowFullScreen
        referrerPolicy="strict-origin-when-cross-origin"
      />
      <div className={styles.refusal} role="status" hidden={!refused}>
        {refused ? (
          <>
            <p className={styles.word}>{texts.notAVideoLink}</p>
            <p>{texts.accepted}</p>
          </>
        ) : null}
      </div>
    </div>
  );
}
