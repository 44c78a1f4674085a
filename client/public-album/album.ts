/**
 * The script of an album's public page (server/albums/page-html.ts). A press on a picture opens the overlay, which loads after
 * the page. Without scripts, or if the overlay fails to load, the press opens the picture's file.
 */
import './page.css';

type Open = (link: HTMLAnchorElement) => void;

const wall = document.querySelector<HTMLElement>('.wall');

/** The picture that a plain press opens. */
function pressed(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  return isPlain && event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-image]') : null;
}

function start(pictures: HTMLElement): void {
  let loading: Promise<Open> | undefined;
  const load = (): Promise<Open> => {
    loading ??= import('./overlay.tsx').then(({ mountOverlay }) => mountOverlay(pictures));
    return loading;
  };
  const loadAhead = (): void => {
    load().catch(() => {
      loading = undefined;
    });
  };

  pictures.addEventListener('click', (event) => {
    const link = pressed(event);
    if (link === null) return;
    event.preventDefault();
    pictures.ariaBusy = 'true';
    load()
      .then(
        (open) => open(link),
        () => location.assign(link.href),
      )
      .finally(() => {
        pictures.ariaBusy = null;
      });
  });

  // The overlay of the page before or after continues here.
  const links = [...pictures.querySelectorAll<HTMLAnchorElement>('a[data-image]')];
  const continued = { '#first': links[0], '#last': links.at(-1) }[location.hash];
  if (continued) {
    history.replaceState(null, '', location.pathname + location.search);
    load().then(
      (open) => open(continued),
      () => undefined,
    );
  } else if (history.state?.preview) loadAhead();
  else if (document.readyState === 'complete') loadAhead();
  else window.addEventListener('load', loadAhead, { once: true });
}

if (wall) start(wall);
