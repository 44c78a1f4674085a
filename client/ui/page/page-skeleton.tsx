import { shell as texts } from '../../text/words.ts';
import styles from './page-skeleton.module.css';

/** Stands for a page while its files load: a heading and blocks, which appear only if that takes a moment. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <div className={styles.blocks} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
