import { GalleryScreen } from '../gallery/gallery-screen.tsx';
import { SearchBox } from '../gallery/search-box.tsx';
import { useAddress } from '../gallery/use-address.ts';
import { PageHead } from '../layout/page-head.tsx';
import { texts } from '../text/gallery.ts';

export function GalleryPage() {
  const [address, go] = useAddress();
  return (
    <>
      <PageHead title={texts.title}>
        <SearchBox search={address.search} onSearch={(search) => go({ page: 1, search }, 'replace')} />
      </PageHead>
      <GalleryScreen address={address} go={go} />
    </>
  );
}
