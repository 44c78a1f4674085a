import { Images, ImageUp, SquarePlay } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { texts } from '../text/shell.ts';
import styles from './main-nav.module.css';

const pages = () => [
  { href: '/dashboard/upload', text: texts.uploadImages, Icon: ImageUp },
  { href: '/dashboard/images', text: texts.viewImages, Icon: Images },
  { href: '/dashboard/video', text: texts.videoPlayer, Icon: SquarePlay },
];

interface MainNavProps {
  id?: string;
  /** A bar at the window's foot, a list with words, or icons whose words are heard and shown as tooltips. */
  look: 'bar' | 'list' | 'rail';
}

export function MainNav({ id, look }: MainNavProps) {
  const [here] = useLocation();
  return (
    <nav id={id} className={styles.nav} data-look={look} aria-label={texts.mainNavigation}>
      {pages().map(({ href, text, Icon }) => (
        <Link
          key={href}
          href={href}
          className={styles.link}
          title={look === 'rail' ? text : undefined}
          aria-current={here.toLowerCase().startsWith(href) ? 'page' : undefined}
        >
          <Icon />
          <span className={look === 'rail' ? 'visually-hidden' : undefined}>{text}</span>
        </Link>
      ))}
    </nav>
  );
}
