import { albums as texts } from '../text/words.ts';
import styles from './skeleton.module.css';

export function Skeleton() {
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <div className={styles.tiles} aria-hidden="true">
        {Array.from({ length: 8 }, (_, index) => (
          <i key={String(index)} />
        ))}
      </div>
    </>
  );
}
