import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { desktop, phone, useMediaQuery } from '../lib/media-query.ts';
import { storedChoice, useStoredChoice } from '../lib/stored-choice.ts';
import { useToken } from '../session/session.ts';
import { texts } from '../text/shell.ts';
import styles from './dashboard-layout.module.css';
import { PhoneBars } from './phone-bars.tsx';
import { Sidebar } from './sidebar.tsx';

const width = storedChoice('sidebar', ['wide', 'narrow'] as const);

/** What the server told, for one session: the next one starts with nothing of it. */
function SessionData({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

export function DashboardLayout({ children }: { children: ReactNode }) {
  const token = useToken();
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
        <SessionData key={token}>{children}</SessionData>
      </main>
    </div>
  );
}
