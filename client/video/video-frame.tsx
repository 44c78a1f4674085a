import { useRef } from 'react';
import { texts } from '../text/video.ts';
import styles from './video-frame.module.css';
import { videoSource } from './video-link.ts';

/** What players need and no more: above all, no way to move the page around them. */
const permissions =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation';

/**
 * The 16:9 player for a link; for any other text an empty frame that says what it takes. An empty link: nothing yet.
 * `onShown`: its frame has loaded, which is told once, wherever the player goes inside of it.
 */
export function VideoFrame({ link, onShown }: { link: string; onShown: (link: string) => void }) {
  const source = link.trim() ? videoSource(link, window.location) : null;
  const shown = useRef<EventTarget>(null);
  const refused = link.trim() !== '' && !source;
  return (
    <div className={styles.frame}>
      <iframe
        // A new frame for each source: changing the source of one would put every link into the page's history.
        key={source}
        title={texts.frameTitle}
        src={source ?? undefined}
        sandbox={source ? permissions : 'allow-scripts'}
        onLoad={({ currentTarget }) => {
          if (!source || shown.current === currentTarget) return;
          shown.current = currentTarget;
          onShown(link.trim());
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
