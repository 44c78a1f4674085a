import { Ellipsis, FolderHeart, Images, ImageUp, Link2, type LucideIcon, Settings, SquarePlay } from 'lucide-react';
import { type MouseEvent, Suspense, useId, useRef } from 'react';
import { useLocation } from 'wouter';
import { accountQuery } from '../administration/account-query.ts';
import { optionalPart } from '../lib/lazy-part.ts';
import { useQuery } from '../query/use-query.ts';
import { isPage, type NavLabel, routes } from '../routes.ts';
import { shell as texts } from '../text/words.ts';
import { usePress } from '../ui/buttons/use-press.ts';
import { Link } from '../ui/link.tsx';
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
const isAt = (here: string, href: string): boolean => here.toLowerCase().startsWith(href);

export interface NavLinkProps {
  href: string;
  icon: LucideIcon;
  text: string;
  isRail?: boolean;
  onClick?: () => void;
}

function NavLink({ href, icon: Icon, text, isRail = false, onClick }: NavLinkProps) {
  const [here, navigate] = useLocation();
  const [isPressed, press] = usePress<true>();
  const follow = (event: MouseEvent): void => {
    onClick?.();
    const { button, ctrlKey, metaKey, altKey, shiftKey } = event;
    // The browser opens a new tab or window, or downloads.
    if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return;
    event.preventDefault();
    press(true, () => navigate(href))();
  };
  return (
    <Link
      href={href}
      className={styles.link}
      title={isRail ? text : undefined}
      aria-current={isAt(here, href) ? 'page' : undefined}
      data-pressed={isPressed ?? undefined}
      onClick={follow}
    >
      <Icon />
      <span className={isRail ? 'visually-hidden' : undefined}>{text}</span>
    </Link>
  );
}

type LinksProps = Pick<NavLinkProps, 'isRail' | 'onClick'>;

const linksTo = (shown: readonly NavPage[], look: LinksProps) =>
  shown.map(({ href, label }) => <NavLink key={href} {...look} href={href} icon={icons[label]} text={texts[label]} />);

const AdminLink = optionalPart(async () => (await import('../administration/load-admin-link.ts')).loadAdminLink());

/** The link to the administration. Its script and words load for administrators only. */
function AdminSlot(look: LinksProps) {
  const { data } = useQuery(accountQuery, true);
  if (data?.role !== 'admin') return null;
  return (
    <Suspense>
      <AdminLink {...look} link={NavLink} />
    </Suspense>
  );
}

/** The pages that have no tab on a phone. */
const MoreLinks = (look: LinksProps) => (
  <>
    {linksTo(morePages, look)}
    <AdminSlot {...look} />
  </>
);

interface MainNavProps {
  id?: string;
  /** A bar at the window's bottom, a list with words, or icons with tooltips and labels for screen readers. */
  look: 'bar' | 'list' | 'rail';
}

export function MainNav({ id, look }: MainNavProps) {
  const isRail = look === 'rail';
  return (
    <nav id={id} className={styles.nav} data-look={look} aria-label={texts.mainNavigation}>
      {linksTo(pages, { isRail })}
      {look === 'bar' ? (
        <MoreTab />
      ) : (
        <>
          <hr className={styles.divider} />
          <MoreLinks isRail={isRail} />
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
        aria-current={morePages.some(({ href }) => isAt(here, href)) || undefined}
      >
        <Ellipsis />
        <span>{texts.more}</span>
      </button>
      <nav id={id} ref={menu} popover="auto" className={styles.menu} data-look="list" aria-label={texts.more}>
        <MoreLinks onClick={() => menu.current?.hidePopover()} />
      </nav>
    </>
  );
}
