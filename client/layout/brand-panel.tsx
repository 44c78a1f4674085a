import art from '../assets/brand-art.avif';
import { auth as texts } from '../text/words.ts';
import styles from './brand-panel.module.css';

/** The brand art with the product's name. */
export function BrandPanel() {
  return (
    <aside className={styles.brand} aria-label={texts.brandLabel}>
      <img className={styles.art} src={art} alt="" width="1280" height="1280" fetchPriority="high" decoding="async" />
      <p className={styles.word} lang="en" dir="ltr" translate="no">
        {texts.brandWord}
      </p>
      <p className={styles.tagline}>{texts.tagline}</p>
    </aside>
  );
}
