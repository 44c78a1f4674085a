import { Languages, LogOut, PanelLeft } from 'lucide-react';
import { useLogout } from '../session/use-logout.ts';
import { shell as texts } from '../text/words.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Mark } from '../ui/mosaic/mark.tsx';
import { MainNav } from './main-nav.tsx';
import styles from './sidebar.module.css';
import { themeIcons, useThemeLabel } from './theme-label.ts';
import { useNextLanguage } from './use-next-language.ts';

interface SidebarProps {
  wide: boolean;
  /** What the button shows: it changes before the width does. */
  isExpanded: boolean;
  onToggle: () => void;
}

export function Sidebar({ wide, isExpanded, onToggle }: SidebarProps) {
  const logout = useLogout();
  const [theme, themeLabel, cycleTheme] = useThemeLabel();
  const language = useNextLanguage();
  const ThemeIcon = themeIcons[theme];
  const word = wide ? undefined : 'visually-hidden';
  return (
    <aside className={styles.side} data-rail={!wide || undefined} aria-label={texts.dashboard}>
      <div className={styles.head}>
        <Mark size={28} />
        <span className={wide ? styles.title : 'visually-hidden'}>{texts.dashboard}</span>
        <IconButton
          label={isExpanded ? texts.collapse : texts.expand}
          aria-expanded={isExpanded}
          aria-controls="navigation"
          onClick={onToggle}
        >
          <PanelLeft className="flip" />
        </IconButton>
      </div>
      <MainNav id="navigation" look={wide ? 'list' : 'rail'} />
      <div className={styles.foot}>
        <button
          type="button"
          className={styles.item}
          title={wide ? undefined : language.name}
          onClick={language.choose}
        >
          <Languages />
          <span className={word} lang={language.code}>
            {language.name}
          </span>
        </button>
        <button type="button" className={styles.item} title={themeLabel} onClick={cycleTheme}>
          <ThemeIcon />
          <span className={word}>{texts.theme}</span>
          <span className="visually-hidden">{texts.themeNames[theme]}</span>
        </button>
        <button type="button" className={styles.item} title={wide ? undefined : texts.logout} onClick={logout}>
          <LogOut className="flip" />
          <span className={word}>{texts.logout}</span>
        </button>
      </div>
    </aside>
  );
}
