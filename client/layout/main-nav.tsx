import { FolderHeart, Images, ImageUp, Settings, SquarePlay } from 'lucide-react';
import { useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { shell as texts } from '../text/words.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './main-nav.module.css';

const pages = () => [
  { href: '/dashboard/upload', text: texts.uploadImages, Icon: ImageUp },
  { href: '/dashboard/images', text: texts.viewImages, Icon: Images },
  { href: '/dashboard/video', text: texts.videoPlayer, Icon: SquarePlay },
];

/** Below a divider, and on phones in a menu. */
const morePages = () => [
  { href: '/dashboard/albums', text: texts.albums, Icon: FolderHeart },
  { href: '/dashboard/settings', text: texts.settings, Icon: Settings },
];

interface NavLinkProps {
  page: ReturnType<typeof pages>[number];
  isRail?: boolean;
  onClick?: () => void;
}

function NavLink({ page: { href, text, Icon }, isRail = false, onClick }: NavLinkProps) {
  const [here] = useLocation();
  return (
    <Link
      href={href}
      className={styles.link}
      title={isRail ? text : undefined}
      aria-current={here.toLowerCase().startsWith(href) ? 'page' : undefined}
      onClick={onClick}
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
      {pages().map((page) => (
        <NavLink key={page.href} page={page} isRail={isRail} />
      ))}
      {look === 'bar' ? null : (
        <>
          <hr className={styles.divider} />
          {morePages().map((page) => (
            <NavLink key={page.href} page={page} isRail={isRail} />
          ))}
        </>
      )}
    </nav>
  );
}

/** The product's mark, which opens a menu of the pages missing from the bar. */
export function MoreMenu() {
  const id = useId();
  const menu = useRef<HTMLElement>(null);
  return (
    <>
      <IconButton label={texts.more} popoverTarget={id}>
        <Mark size={24} />
      </IconButton>
      <nav id={id} ref={menu} popover="auto" className={styles.menu} data-look="list" aria-label={texts.more}>
        {morePages().map((page) => (
          <NavLink key={page.href} page={page} onClick={() => menu.current?.hidePopover()} />
        ))}
      </nav>
    </>
  );
}
