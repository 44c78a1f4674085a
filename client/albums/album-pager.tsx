import { useEffect, useRef } from 'react';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './albums.module.css';

interface AlbumPagerProps {
  page: number;
  /** The page on the screen while `page` is loading. */
  shown: number;
  pages: number;
  onTurn: (page: number) => void;
  /** Called with the announcement once the requested page is shown. */
  onTurned: (words: string) => void;
}

/** A pager whose buttons keep the focus at both ends. */
export function AlbumPager({ page, shown, pages, onTurn, onTurned }: AlbumPagerProps) {
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current !== shown) return;
    wanted.current = undefined;
    onTurned(texts.pages.page(shown, pages));
  }, [shown, pages, onTurned]);
  const turn = (to: number): void => {
    if (to < 1 || to > pages) return;
    wanted.current = to;
    onTurn(to);
    window.scrollTo(0, 0);
  };
  return (
    <nav className={styles.pager} aria-label={texts.pages.label}>
      <Button aria-disabled={page === 1 || undefined} onClick={() => turn(page - 1)}>
        {texts.pages.previous}
      </Button>
      <p>{texts.pages.page(page, pages)}</p>
      <Button aria-disabled={page >= pages || undefined} onClick={() => turn(page + 1)}>
        {texts.pages.next}
      </Button>
    </nav>
  );
}
