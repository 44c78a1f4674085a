import type { ReactNode } from 'react';
import { links as texts } from '../text/words.ts';
import styles from './waiting-images.module.css';

interface ChoiceProps {
  filename: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: ReactNode;
}

/** The box that selects a waiting image. */
export function Choice({ filename, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className={styles.name}>
      <input
        type="checkbox"
        checked={isChosen}
        aria-label={texts.collect.wait.select(filename)}
        onChange={({ target }) => onChoose(target.checked)}
      />
      {children}
    </label>
  );
}
