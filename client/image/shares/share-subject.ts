import type { Album, Image } from '../../../server/contract.ts';
import { links as texts } from '../../text/words.ts';

/** What is shared: an album, of which the screen shows some images, or a selection. */
export interface ShareSubject {
  readonly album?: Pick<Album, 'id' | 'name' | 'link'>;
  readonly images: readonly Image[];
}

export const titleOf = ({ album, images }: ShareSubject): string =>
  album === undefined ? texts.shares.title(images.length) : texts.shares.titleOfAlbum(album.name);
