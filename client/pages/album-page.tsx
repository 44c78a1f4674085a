import { lazy, Suspense } from 'react';
import { useSearch } from 'wouter';
import { parseAlbumPage } from '../albums/album-address.ts';
import { albumPageAt } from '../albums/album-pages.ts';
import { Failed, Skeleton } from '../albums/states.tsx';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { queries } from '../query/queries.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { withWords } from '../text/language.ts';
import { albums as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';

const loadView = () => withWords(['gallery'], import('./album-view.tsx'));
const AlbumView = lazy(async () => ({ default: (await loadView()).AlbumView }));
// Loads beside the album itself. A failure is reported when it is needed.
loadView().catch(() => undefined);

function Head() {
  return (
    <PageHead title={texts.title}>
      <ButtonLink href="/dashboard/albums">{texts.back}</ButtonLink>
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
  if (isLoaded) {
    return (
      <Suspense fallback={<Waiting />}>
        <AlbumView id={id} />
      </Suspense>
    );
  }
  if (error === undefined) return <Waiting />;
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Head />
      <Failed
        text={isGone ? texts.gone : texts.loadFailed}
        reason={isGone ? '' : (reasonOf(error) ?? '')}
        busy={fetching}
        onRetry={isGone ? undefined : () => void queries.fetch(query)}
      />
    </>
  );
}
