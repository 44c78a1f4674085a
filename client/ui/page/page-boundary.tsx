import { Component, type ReactNode } from 'react';
import { shell as texts } from '../../text/words.ts';
import { Button } from '../buttons/button.tsx';
import styles from './page-boundary.module.css';

/** Replaces a page that failed to load or render with a message and a reload button. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.failed} role="alert">
        <h1 className={styles.title}>{texts.pageFailed}</h1>
        <p>{texts.tryAgain}</p>
        <Button variant="line" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </div>
    );
  }
}
