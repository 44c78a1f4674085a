import { gallery as texts } from '../../text/words.ts';
import card from '../card/image-card.module.css';
import wall from './image-wall.module.css';
import styles from './skeleton-wall.module.css';

const RATIOS = [1.5, 0.8, 1.5, 1.2, 1.5, 0.8, 1.5, 1.5, 1.33, 0.8, 1.78, 1.5];

/** Skeleton cards, shown until the first page is loaded. */
export function SkeletonWall() {
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <ul className={`${wall.wall} ${styles.late}`} aria-hidden="true">
        {RATIOS.map((ratio, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of placeholders
            key={index}
            className={card.card}
            style={{ '--ratio': ratio, '--delay': `${index * 90}ms` } as React.CSSProperties}
          >
            <div className={styles.tiles}>
              <b />
              <b />
              <b />
              <b />
            </div>
            <div className={styles.line} />
            <div className={styles.short} />
          </li>
        ))}
      </ul>
    </>
  );
}
