import { LogOut } from 'lucide-react';
import { useLogout } from '../session/use-logout.ts';
import { shell as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Mark } from '../ui/mosaic/mark.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { MainNav } from './main-nav.tsx';
import styles from './phone-bars.module.css';
import { ThemeButton } from './theme-button.tsx';

/** The shell on a phone: the bar at the top, and the links at the bottom. */
export function PhoneBars() {
  const logout = useLogout();
  return (
    <>
      <header className={styles.bar}>
        <Mark size={24} />
        <span className={`ellipsis ${styles.title}`}>{texts.dashboard}</span>
        <LanguageSwitch look="icon" />
        <ThemeButton />
        <Button variant="ghost" className={styles.logout} onClick={logout}>
          <LogOut className="flip" />
          {texts.logout}
        </Button>
      </header>
      <MainNav look="bar" />
    </>
  );
}
