import type { ReactNode } from 'react';
import { LanguageSwitch } from '../layout/language-switch.tsx';
import { ThemeButton } from '../layout/theme-button.tsx';
import { Mark } from '../ui/mosaic/mark.tsx';
import styles from './guest.module.css';

export function GuestLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Mark size={32} />
        <span className={styles.space} />
        <LanguageSwitch look="word" />
        <ThemeButton />
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}
