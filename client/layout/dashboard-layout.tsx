import { type ReactNode, Suspense, useState } from 'react';
import { afterPaint } from '../lib/after-paint.ts';
import { lazyPart, optionalPart } from '../lib/lazy-part.ts';
import { desktop, phone, useMediaQuery } from '../lib/media-query.ts';
import { storedChoice, useStoredChoice } from '../lib/stored-choice.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { withLaterWords } from '../text/language.ts';
import { shell as texts } from '../text/words.ts';
import styles from './dashboard-layout.module.css';
import { PhoneBars } from './phone-bars.tsx';
import { Sidebar } from './sidebar.tsx';
import { useLayoutKeys } from './use-layout-keys.ts';

const width = storedChoice('sidebar', ['wide', 'narrow'] as const);

const ShortcutsSheet = lazyPart(async () => ({
  default: (await withLaterWords(import('../keyboard/shortcuts-sheet.tsx'))).ShortcutsSheet,
}));

const EmailReminder = optionalPart(async () => {
  await new Promise<void>((resolve) => whenIdle(resolve));
  return { default: (await withLaterWords(import('./email-reminder.tsx'))).EmailReminder };
});

export function DashboardLayout({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery(phone);
  const widthByWindow = useMediaQuery(desktop) ? 'wide' : 'narrow';
  const wide = (useStoredChoice(width) ?? widthByWindow) === 'wide';
  const [isSheetOpen, setSheetOpen] = useState(false);
  // The pressed button changes at once. The rest follows after the next paint, because it lays out the whole page.
  const [isExpanding, setExpanding] = useState<boolean | null>(null);
  const isExpanded = isExpanding ?? wide;
  function toggle() {
    setExpanding(!isExpanded);
    afterPaint(() => {
      width.set(isExpanded ? 'narrow' : 'wide');
      setExpanding(null);
    });
  }
  useLayoutKeys({ showShortcuts: () => setSheetOpen(true), toggleSidebar: isPhone ? undefined : toggle });
  return (
    <div className={styles.app} data-rail={(!isPhone && !wide) || undefined}>
      <a className={styles.skip} href="#main">
        {texts.skip}
      </a>
      {isPhone ? <PhoneBars /> : <Sidebar wide={wide} isExpanded={isExpanded} onToggle={toggle} />}
      <main className={styles.main} id="main" tabIndex={-1}>
        <Suspense>
          <EmailReminder />
        </Suspense>
        {children}
      </main>
      <Suspense>{isSheetOpen ? <ShortcutsSheet onClose={() => setSheetOpen(false)} /> : null}</Suspense>
    </div>
  );
}
