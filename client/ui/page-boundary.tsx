import { Component, type ReactNode } from 'react';
import { texts } from '../text/shell.ts';
import { Button } from './button.tsx';
import styles from './page-boundary.module.css';

/** In place of a page that could not be loaded or drawn: what happened, and the way on. */
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
        <Button variant="line" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </div>
    );
  }
}
