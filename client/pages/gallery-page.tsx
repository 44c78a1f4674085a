import { lazy, Suspense } from 'react';
import { listImages } from '../api/images.ts';
import { type Address, sortParameters } from '../gallery/address.ts';
import { GalleryScreen } from '../gallery/gallery-screen.tsx';
import { createPages, type Pages } from '../gallery/pages.ts';
import { SearchBox } from '../gallery/search-box.tsx';
import { SelectButton } from '../gallery/select/select-button.tsx';
import { useSelection } from '../gallery/select/use-selection.ts';
import { useAddress } from '../gallery/use-address.ts';
import { PageHead } from '../layout/page-head.tsx';
import { useToken } from '../session/session.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery as texts } from '../text/words.ts';
import styles from './gallery-page.module.css';

const SearchHelp = lazy(async () => ({
  default: (await withLaterWords(import('../gallery/finding/search-help.tsx'))).SearchHelp,
}));

const SortSelect = lazy(async () => ({
  default: (await withLaterWords(import('../gallery/finding/sort-select.tsx'))).SortSelect,
}));

const loadBar = () => withLaterWords(import('./gallery-bar.tsx'));

const list = ({ page, search, ...sorted }: Address, signal: AbortSignal, quietly: boolean) =>
  listImages({ page, search, ...sortParameters(sorted) }, signal, quietly);

let known: { token: string | null; pages: Pages } | undefined;

/** The page cache of `token`'s session, kept across page changes; another session starts with an empty one. */
function pagesOf(token: string | null, address: Address): Pages {
  if (known?.token !== token) {
    known?.pages.clear();
    known = { token, pages: createPages(list) };
    // Started before the screen renders: boot.js may have fetched the answer already.
    known.pages.begin(address);
  }
  return known.pages;
}

export default function GalleryPage() {
  const [address, go] = useAddress();
  const token = useToken();
  const [selection, selecting] = useSelection();
  const search = (wanted: string) => go({ ...address, page: 1, search: wanted }, 'replace');
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
      <GalleryScreen
        key={token}
        pages={pagesOf(token, address)}
        address={address}
        go={go}
        selection={selection}
        selecting={selecting}
        loadBar={loadBar}
      />
    </>
  );
}
