import { useEffect, useState } from 'react';
import { gallery as texts } from '../text/words.ts';
import card from './image-card.module.css';
import wall from './image-wall.module.css';
import styles from './skeleton-wall.module.css';

const RATIOS = [1.5, 0.8, 1.5, 1.2, 1.5, 0.8, 1.5, 1.5, 1.33, 0.8, 1.78, 1.5];

/** Milliseconds before the skeleton appears: fast answers come without one. */
const PATIENCE = 150;

/** Skeleton cards, shown until the first page is loaded. */
export function SkeletonWall() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <ul className={wall.wall} aria-hidden="true">
        {(late ? RATIOS : []).map((ratio, index) => (
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
