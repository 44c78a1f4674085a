import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './albums.module.css';

interface AlbumPagerProps {
  page: number;
  pages: number;
  onTurn: (page: number) => void;
}

/** A pager whose buttons keep the focus at both ends. */
export function AlbumPager({ page, pages, onTurn }: AlbumPagerProps) {
  const isFirst = page <= 1;
  const isLast = page >= pages;
  return (
    <nav className={styles.pager} aria-label={texts.pages.label}>
      <Button aria-disabled={isFirst || undefined} onClick={() => isFirst || onTurn(page - 1)}>
        {texts.pages.previous}
      </Button>
      <p>{texts.pages.page(page, pages)}</p>
      <Button aria-disabled={isLast || undefined} onClick={() => isLast || onTurn(page + 1)}>
        {texts.pages.next}
      </Button>
    </nav>
  );
}
