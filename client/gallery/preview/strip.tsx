import { useEffect, useRef } from 'react';
import type { Image } from '../../../server/contract.ts';
import { texts as preview } from '../../text/preview.ts';
import { placeholderUrl } from '../placeholder.ts';
import styles from './strip.module.css';

interface StripProps {
  images: readonly Image[];
  id: string;
  onShow: (id: string) => void;
}

/** The page's pictures, small; the one that is shown is kept in sight. */
export function Strip({ images, id, onShow }: StripProps) {
  const strip = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image is current
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [id]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div ref={strip} className={styles.strip} data-chrome role="group" aria-label={preview.strip} data-inside>
      {images.map((image) => {
        const blur = placeholderUrl(image.placeholder);
        return (
          <button
            key={image.id}
            type="button"
            aria-label={image.filename}
            aria-current={image.id === id || undefined}
            style={blur === null ? undefined : { backgroundImage: `url(${blur})` }}
            onClick={() => onShow(image.id)}
          >
            <picture>
              {image.thumbnail_avif_url ? <source type="image/avif" srcSet={image.thumbnail_avif_url} /> : null}
              <img src={image.thumbnail_url} alt="" loading="lazy" decoding="async" draggable={false} />
            </picture>
          </button>
        );
      })}
    </div>
  );
}
