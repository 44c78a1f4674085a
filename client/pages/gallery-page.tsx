import { Suspense } from 'react';
import { GalleryScreen } from '../gallery/gallery-screen.tsx';
import { SearchBox } from '../gallery/search-box.tsx';
import { SelectButton } from '../gallery/select/select-button.tsx';
import { useSelection } from '../gallery/select/use-selection.ts';
import { useAddress } from '../gallery/use-address.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery as texts } from '../text/words.ts';
import { PageHead } from '../ui/page/page-head.tsx';
import styles from './gallery-page.module.css';

const SearchHelp = lazyPart(async () => ({
  default: (await withLaterWords(import('../gallery/finding/search-help.tsx'))).SearchHelp,
}));

const SortSelect = lazyPart(async () => ({
  default: (await withLaterWords(import('../gallery/finding/sort-select.tsx'))).SortSelect,
}));

const loadBar = () => withLaterWords(import('./gallery-bar.tsx'));

export default function GalleryPage() {
  const [address, go] = useAddress();
  const [selection, selecting] = useSelection();
  const search = (wanted: string) => go({ ...address, page: 1, deleted: 0, search: wanted }, 'replace');
  return (
    <>
      <PageHead title={texts.title}>
        <Suspense fallback={<div className={styles.sort} />}>
          <SortSelect address={address} go={go} />
        </Suspense>
        <SearchBox search={address.search} onSearch={search} />
        <SelectButton selection={selection} selecting={selecting} />
      </PageHead>
      <Suspense fallback={<div className={styles.help} />}>
        <SearchHelp search={address.search} onSearch={search} />
      </Suspense>
      <GalleryScreen address={address} go={go} selection={selection} selecting={selecting} loadBar={loadBar} />
    </>
  );
}
