import { Plus } from 'lucide-react';
import { useReducer, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Album } from '../../server/contract.ts';
import { AlbumCard } from '../albums/album-card.tsx';
import { albumListQuery, albumsChanged } from '../albums/album-pages.ts';
import styles from '../albums/albums.module.css';
import { attempt } from '../albums/attempt.ts';
import { NameForm } from '../albums/name-form.tsx';
import { removeAlbum } from '../albums/remove-album.ts';
import { Skeleton } from '../albums/skeleton.tsx';
import { useSteadyFocus } from '../albums/use-steady-focus.ts';
import { changeAlbum, makeAlbum } from '../api/albums.ts';
import { reasonOf } from '../api/api-error.ts';
import { focusAfter } from '../lib/focus.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { sayAgain } from '../lib/say-again.ts';
import { queries } from '../query/queries.ts';
import { useQuery } from '../query/use-query.ts';
import { albumPath, galleryPath } from '../routes.ts';
import { albums as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/page/empty.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { PageHead } from '../ui/page/page-head.tsx';

/** The button for a new album, and then the field for its name. */
function NewAlbum() {
  const [, go] = useLocation();
  const [naming, setNaming] = useState(false);
  const maker = useRef<HTMLButtonElement>(null);
  async function create(name: string): Promise<boolean> {
    return attempt(async () => {
      const { id } = await makeAlbum(name);
      albumsChanged();
      go(albumPath(id));
    });
  }
  function cancel(): void {
    focusAfter(
      () => setNaming(false),
      () => maker.current,
    );
  }
  if (naming) return <NameForm onSave={create} onCancel={cancel} />;
  return (
    <Button ref={maker} variant="primary" onClick={() => setNaming(true)}>
      <Plus />
      {texts.create}
    </Button>
  );
}

export default function AlbumsPage() {
  const { data: albums, error, fetching } = useQuery(albumListQuery);
  const [said, say] = useReducer(sayAgain, '');
  const [, alone] = useBusy();
  const cards = useRef<HTMLUListElement>(null);
  const keepFocus = useSteadyFocus(cards, albums?.map(({ id }) => id).join() ?? '');

  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await attempt(work);
    albumsChanged();
    await queries.fetch(albumListQuery);
    return done;
  }
  // One move at a time: the next one needs the new positions.
  const move = ({ id, name }: Album, position: number) =>
    alone(async () => {
      keepFocus();
      if (await change(() => changeAlbum(id, { position })))
        say(texts.moved(name, position, albums?.length ?? position));
    });
  const remove = ({ id }: Album) => {
    keepFocus();
    void removeAlbum(id);
  };

  return (
    <>
      <PageHead title={texts.title}>
        <NewAlbum />
      </PageHead>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {albums === undefined && error === undefined ? <Skeleton /> : null}
      {error === undefined ? null : (
        <LoadError
          size="page"
          text={texts.loadFailed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(albumListQuery)}
        />
      )}
      {albums?.length === 0 ? (
        <Empty text={texts.empty} hint={texts.emptyHint}>
          <ButtonLink variant="line" href={galleryPath}>
            {texts.toGallery}
          </ButtonLink>
        </Empty>
      ) : null}
      {albums && albums.length > 0 ? (
        <ul ref={cards} className={styles.cards}>
          {albums.map((album) => (
            <AlbumCard
              key={album.id}
              album={album}
              count={albums.length}
              onRename={({ id }, name) => change(() => changeAlbum(id, { name }))}
              onMove={move}
              onDelete={remove}
            />
          ))}
        </ul>
      ) : null}
    </>
  );
}
