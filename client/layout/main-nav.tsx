import { Ellipsis, FolderHeart, Images, ImageUp, Link2, type LucideIcon, Settings, SquarePlay } from 'lucide-react';
import { type MouseEvent, useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { isPage, type NavLabel, routes } from '../routes.ts';
import { shell as texts } from '../text/words.ts';
import { usePress } from '../ui/use-press.ts';
import styles from './main-nav.module.css';

const icons: Readonly<Record<NavLabel, LucideIcon>> = {
  uploadImages: ImageUp,
  viewImages: Images,
  videoPlayer: SquarePlay,
  albums: FolderHeart,
  links: Link2,
  settings: Settings,
};

interface NavPage {
  href: string;
  label: NavLabel;
}

const pagesAt = (place: 'main' | 'more'): readonly NavPage[] =>
  routes.filter(isPage).flatMap(({ path, nav }) => (nav?.place === place ? [{ href: path, label: nav.label }] : []));

const pages = pagesAt('main');
/** Below a divider, and on phones behind the tab `More`. */
const morePages = pagesAt('more');

/** Whether the window shows a page, or one below it: an album is one of the albums. */
const isAt = (here: string, { href }: NavPage): boolean => here.toLowerCase().startsWith(href);

interface NavLinkProps {
  page: NavPage;
  isRail?: boolean;
  onClick?: () => void;
}

function NavLink({ page, isRail = false, onClick }: NavLinkProps) {
  const [here, navigate] = useLocation();
  const [isPressed, press] = usePress<true>();
  const Icon = icons[page.label];
  const text = texts[page.label];
  const follow = (event: MouseEvent): void => {
    onClick?.();
    const { button, ctrlKey, metaKey, altKey, shiftKey } = event;
    // The browser opens a new tab or window, or downloads.
    if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return;
    event.preventDefault();
    press(true, () => navigate(page.href))();
  };
  return (
    <Link
      href={page.href}
      className={styles.link}
      title={isRail ? text : undefined}
      aria-current={isAt(here, page) ? 'page' : undefined}
      data-pressed={isPressed ?? undefined}
      onClick={follow}
    >
      <Icon />
      <span className={isRail ? 'visually-hidden' : undefined}>{text}</span>
    </Link>
  );
}

interface MainNavProps {
  id?: string;
  /** A bar at the window's bottom, a list with words, or icons with tooltips and labels for screen readers. */
  look: 'bar' | 'list' | 'rail';
}

export function MainNav({ id, look }: MainNavProps) {
  const isRail = look === 'rail';
  return (
    <nav id={id} className={styles.nav} data-look={look} aria-label={texts.mainNavigation}>
      {pages.map((page) => (
        <NavLink key={page.href} page={page} isRail={isRail} />
      ))}
      {look === 'bar' ? (
        <MoreTab />
      ) : (
        <>
          <hr className={styles.divider} />
          {morePages.map((page) => (
            <NavLink key={page.href} page={page} isRail={isRail} />
          ))}
        </>
      )}
    </nav>
  );
}

/** The last tab of the bar on a phone. It opens a menu of the pages that have no tab, and stands for them while one is shown. */
function MoreTab() {
  const id = useId();
  const [here] = useLocation();
  const menu = useRef<HTMLElement>(null);
  return (
    <>
      <button
        type="button"
        className={styles.link}
        popoverTarget={id}
        aria-current={morePages.some((page) => isAt(here, page)) || undefined}
      >
        <Ellipsis />
        <span>{texts.more}</span>
      </button>
      <nav id={id} ref={menu} popover="auto" className={styles.menu} data-look="list" aria-label={texts.more}>
        {morePages.map((page) => (
          <NavLink key={page.href} page={page} onClick={() => menu.current?.hidePopover()} />
        ))}
      </nav>
    </>
  );
}
