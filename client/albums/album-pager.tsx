import { useEffect, useRef } from 'react';
import { texts } from '../text/albums.ts';
import { Button } from '../ui/button.tsx';
import styles from './albums.module.css';

interface AlbumPagerProps {
  page: number;
  /** The page that is on the screen while `page` is on its way. */
  shown: number;
  pages: number;
  onTurn: (page: number) => void;
  /** Once a page that was turned to is shown, with what is to be said of it. */
  onTurned: (words: string) => void;
}

/** Its buttons keep the focus at either end. */
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
