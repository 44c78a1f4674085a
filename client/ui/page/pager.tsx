import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { focusAfter } from '../../lib/focus.ts';
import { gallery as texts } from '../../text/words.ts';
import { Button } from '../buttons/button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  page: number;
  pages: number;
  /** Whether the number of pages is an estimate. */
  about?: boolean;
  /** Placed below the wall, because the selection bar floats over it. */
  inFlow?: boolean;
  onPage: (page: number) => void;
}

export function Pager({ page, pages, about = false, inFlow = false, onPage }: PagerProps) {
  const previous = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const turn = (to: number): void => {
    // The pressed button may be disabled then.
    focusAfter(
      () => onPage(to),
      () => (previous.current?.disabled ? next.current : next.current?.disabled ? previous.current : undefined),
      { preventScroll: true },
    );
  };
  return (
    <div className={styles.dock} data-in-flow={inFlow || undefined}>
      <nav className={styles.pager} aria-label={texts.pager.label}>
        <Button ref={previous} variant="ghost" disabled={page <= 1} onClick={() => turn(page - 1)}>
          <ChevronLeft className="flip" />
          {texts.pager.previous}
        </Button>
        <p className="num">{texts.pager.page(page, pages, about)}</p>
        <Button ref={next} variant="ghost" disabled={page >= pages} onClick={() => turn(page + 1)}>
          {texts.pager.next}
          <ChevronRight className="flip" />
        </Button>
      </nav>
    </div>
  );
}
