/**
 * The script of an album's public page (server/albums/page-html.ts). A press on a picture opens the overlay, which loads after
 * the page. Without scripts, or if the overlay fails to load, the press opens the picture's file.
 */
import './page.css';

type Link = HTMLAnchorElement;
type Open = (link: Link, plays: boolean) => void;

const wall = document.querySelector<HTMLElement>('.wall');

/** The picture that a plain press opens. */
function pressed(event: MouseEvent): Link | null {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  return isPlain && event.target instanceof Element ? event.target.closest<Link>('a[data-overlay]') : null;
}

/** The overlay of an adjacent page continues here, in the same history entry (overlay.tsx). */
function continueAt(link: Link): void {
  const preview = link.id.replace('picture-', '');
  const plays = location.hash === '#play';
  history.replaceState({ preview, plays, isAlone: true }, '', location.pathname + location.search);
}

function start(pictures: HTMLElement): void {
  let loading: Promise<Open> | undefined;
  const forget = (): void => {
    loading = undefined;
  };
  const load = (): Promise<Open> => {
    loading ??= import('./overlay.tsx').then(({ mountOverlay }) => mountOverlay(pictures, forget));
    loading.catch(forget);
    return loading;
  };

  const show = (link: Link, from: HTMLElement): void => {
    from.ariaBusy = 'true';
    load()
      .then(
        (open) => open(link, from !== link),
        () => location.assign(link.href),
      )
      .finally(() => {
        from.ariaBusy = null;
      });
  };
  pictures.addEventListener('click', (event) => {
    const link = pressed(event);
    if (link === null) return;
    event.preventDefault();
    show(link, link);
  });

  const links = [...pictures.querySelectorAll<Link>('a[data-overlay]')];
  const [first] = links;
  const player = document.querySelector<HTMLElement>('[data-slideshow]');
  if (player && first) {
    player.hidden = false;
    player.addEventListener('click', () => show(first, player));
  }
  for (const link of links) link.ariaHasPopup = 'dialog';
  const continued = { '#first': first, '#play': first, '#last': links.at(-1) }[location.hash];
  if (continued) continueAt(continued);
  if (history.state?.preview || document.readyState === 'complete') load();
  else window.addEventListener('load', () => load(), { once: true });
}

if (wall) start(wall);
