import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Album, Image } from '../../server/contract.ts';
import styles from '../albums/albums.module.css';
import { LinkBar } from '../albums/link-bar.tsx';
import { NameForm } from '../albums/name-form.tsx';
import { removeAlbum } from '../albums/remove-album.ts';
import { changeAlbum } from '../api/albums.ts';
import { focusAfter } from '../lib/focus.ts';
import { albumsPath } from '../routes.ts';
import { albums as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { PageHead } from '../ui/page/page-head.tsx';

interface AlbumHeadProps {
  album: Album;
  /** Those on the screen. */
  images: readonly Image[];
  /** Runs a call and loads the album again. @returns whether the call succeeded */
  onChange: (work: () => Promise<unknown>) => Promise<boolean>;
  children: ReactNode;
}

/** An album's name and its public link, and what changes them. */
export function AlbumHead({ album, images, onChange, children }: AlbumHeadProps) {
  const [, go] = useLocation();
  const [renaming, setRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { id, name } = album;

  const endRenaming = (): void => {
    focusAfter(
      () => setRenaming(false),
      () => opener.current,
    );
  };
  async function rename(next: string): Promise<boolean> {
    const isDone = await onChange(() => changeAlbum(id, { name: next }));
    if (isDone) endRenaming();
    return isDone;
  }
  return (
    <>
      <PageHead title={name}>
        <ButtonLink href={albumsPath}>{texts.back}</ButtonLink>
        {children}
        <Button ref={opener} onClick={() => setRenaming(true)}>
          {texts.rename}
        </Button>
        <Button onClick={() => void removeAlbum(id, () => go(albumsPath))}>{texts.remove}</Button>
      </PageHead>
      {renaming ? (
        <div className={styles.bar}>
          <NameForm name={name} onCancel={endRenaming} onSave={rename} />
        </div>
      ) : null}
      <LinkBar album={album} images={images} onChange={onChange} />
    </>
  );
}
