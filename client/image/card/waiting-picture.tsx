/** Images that wait, for their owner. Their links are closed, so the page fetches them with the login. */
import type { Image } from '../../../server/contract.ts';
import { waitingPicture } from '../../api/collect-links.ts';
import { queries } from '../../query/queries.ts';
import type { Query } from '../../query/query.ts';
import { useQuery } from '../../query/use-query.ts';
import { preview } from '../../text/words.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { LoadingLine } from '../../ui/progress/loading-line.tsx';
import styles from './waiting-picture.module.css';

/** As a URL, since an <img> cannot send the login. */
const dataUrlOf = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });

/** A `data:` URL of its bytes. */
export const waitingPictureQuery = (id: string, which: 'thumbnail' | 'screen' | 'original'): Query<string> => ({
  key: ['waiting-picture', id, which],
  load: async (signal) => dataUrlOf(await waitingPicture(id, which, signal)),
});

interface WaitingPictureProps {
  image: Pick<Image, 'id' | 'width' | 'height' | 'screen_url'>;
  alt: string;
  /** The text of the button that tries again. */
  retry: string;
}

/** The whole image, as large as there is room. */
export function WaitingPicture({ image, alt, retry }: WaitingPictureProps) {
  // Images no larger than their thumbnail have no screen rendition.
  const query = waitingPictureQuery(image.id, image.screen_url.endsWith('/screen.webp') ? 'screen' : 'original');
  const { data: url, error, fetching } = useQuery(query);
  return (
    <section className={styles.picture} tabIndex={-1}>
      {url === undefined ? null : (
        <img src={url} alt={alt} width={image.width} height={image.height} decoding="async" />
      )}
      {url === undefined && error === undefined ? <LoadingLine at="container" /> : null}
      {url === undefined && error !== undefined ? (
        <LoadError
          size="line"
          text={preview.failed}
          retry={retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      ) : null}
    </section>
  );
}
