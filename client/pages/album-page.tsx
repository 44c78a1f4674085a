import { lazy, Suspense } from 'react';
import { useSearch } from 'wouter';
import { parseAlbumPage } from '../albums/album-address.ts';
import { albumPageAt, isGone } from '../albums/album-pages.ts';
import { Skeleton } from '../albums/skeleton.tsx';
import { reasonOf } from '../api/api-error.ts';
import { queries } from '../query/queries.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { albumsPath } from '../routes.ts';
import { withWords } from '../text/language.ts';
import { albums as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { PageHead } from '../ui/page/page-head.tsx';

const loadView = () => withWords(['gallery'], import('./album-view.tsx'));
const AlbumView = lazy(async () => ({ default: (await loadView()).AlbumView }));
// Loads beside the album itself. A failure is reported when it is needed.
loadView().catch(() => undefined);

function Head() {
  return (
    <PageHead title={texts.title}>
      <ButtonLink href={albumsPath}>{texts.back}</ButtonLink>
    </PageHead>
  );
}

function Waiting() {
  return (
    <>
      <Head />
      <Skeleton />
    </>
  );
}

/** An album, or what stands for it while it loads. */
export default function AlbumPage({ id }: { id: string }) {
  const query = albumPageAt(id, parseAlbumPage(useSearch()));
  const { data, error, fetching } = useQuery(query);
  const isLoaded = useLast(data) !== undefined;
  const isOver = isGone(error);
  if (isLoaded && !isOver) {
    return (
      <Suspense fallback={<Waiting />}>
        <AlbumView id={id} />
      </Suspense>
    );
  }
  if (error === undefined) return <Waiting />;
  return (
    <>
      <Head />
      <LoadError
        size="page"
        text={isOver ? texts.gone : texts.albumFailed}
        reason={isOver ? undefined : reasonOf(error)}
        retry={texts.retry}
        busy={fetching}
        onRetry={isOver ? undefined : () => void queries.fetch(query)}
      />
    </>
  );
}
