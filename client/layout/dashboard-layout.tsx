import type { ReactNode } from 'react';
import { desktop, phone, useMediaQuery } from '../lib/media-query.ts';
import { storedChoice, useStoredChoice } from '../lib/stored-choice.ts';
import { shell as texts } from '../text/words.ts';
import styles from './dashboard-layout.module.css';
import { PhoneBars } from './phone-bars.tsx';
import { Sidebar } from './sidebar.tsx';

const width = storedChoice('sidebar', ['wide', 'narrow'] as const);

export function DashboardLayout({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(phone);
  const widthByWindow = useMediaQuery(desktop) ? 'wide' : 'narrow';
  const wide = (useStoredChoice(width) ?? widthByWindow) === 'wide';
  return (
    <div className={styles.app} data-rail={(!isPhone && !wide) || undefined}>
      <a className={styles.skip} href="#main">
        {texts.skip}
      </a>
      {isPhone ? <PhoneBars /> : <Sidebar wide={wide} onToggle={() => width.set(wide ? 'narrow' : 'wide')} />}
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
