import { type ComponentType, type FormEvent, type ReactNode, Suspense } from 'react';
import { optionalPart } from '../lib/lazy-part.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { Mark } from '../ui/mosaic/mark.tsx';
import { PageHeading } from '../ui/page/page-heading.tsx';
import styles from './auth-layout.module.css';
import { BrandPanel } from './brand-panel.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { usePasswordLogin } from './password-login.ts';
import { ProviderSlot } from './provider-slot.tsx';
import { ThemeButton } from './theme-button.tsx';

/** Loads once the page is idle. Without its script, the form works all the same. */
const AuthNotes = optionalPart(async (): Promise<{ default: ComponentType<{ offersSetup: boolean }> }> => {
  await new Promise<void>((resolve) => whenIdle(resolve));
  const part = await import('./auth-notes.tsx').catch(() => null);
  return { default: part?.AuthNotes ?? (() => null) };
});

interface AuthLayoutProps {
  title: string;
  /** Whether the sign-in provider, if there is one, can be used instead of the form. */
  offersProvider?: boolean;
  /** The secret of the link that led here, for the sign-in provider too. */
  linkSecret?: string | undefined;
  /** Before the fields, also where there are none. */
  notice?: ReactNode;
  /** Other ways to log in, also where passwords do not. Then they are below the provider's button. */
  besides?: ReactNode;
  onSubmit: (form: FormData) => void;
  /** The form's fields and its button. Not shown if the provider replaces passwords. */
  children: ReactNode;
  /** Below the form: a link to the other page. */
  footer: ReactNode;
}

/** Login and register: the form beside the brand panel. */
export function AuthLayout({ title, offersProvider, onSubmit, footer, ...parts }: AuthLayoutProps) {
  const hasForm = usePasswordLogin() || !offersProvider;
  const fields = (
    <>
      {parts.notice}
      {hasForm ? parts.children : null}
      {hasForm ? parts.besides : null}
    </>
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  }
  return (
    <div className={styles.auth}>
      <BrandPanel />
      <div className={styles.side}>
        <header className={styles.top}>
          <LanguageSwitch look="word" />
          <ThemeButton />
        </header>
        <main className={styles.main}>
          <div className={styles.head}>
            <Mark size={40} />
            <PageHeading title={title} className={styles.title} />
          </div>
          <form className={styles.form} onSubmit={submit}>
            {offersProvider ? (
              <ProviderSlot linkSecret={parts.linkSecret} below={hasForm ? null : parts.besides}>
                {fields}
              </ProviderSlot>
            ) : (
              fields
            )}
          </form>
          {hasForm ? <p className={styles.footer}>{footer}</p> : null}
          <Suspense>
            <AuthNotes offersSetup={offersProvider === true && parts.linkSecret === undefined} />
          </Suspense>
        </main>
      </div>
    </div>
  );
}
