import { EyeOff, TimerOff } from 'lucide-react';
import { memo, useDeferredValue, useEffect, useRef } from 'react';
import type { Image } from '../../../server/contract.ts';
import { useLanguage } from '../../text/language.ts';
import { preview } from '../../text/words.ts';
import { placeholderUrl } from '../card/placeholder.ts';
import { useIsExpired } from '../expiry/use-time-left.ts';
import styles from './strip.module.css';

interface ThumbProps {
  image: Image;
  current: boolean;
  onShow: (id: string) => void;
}

const Thumb = memo(function Thumb({ image, current, onShow }: ThumbProps) {
  const blur = placeholderUrl(image.placeholder);
  const isExpired = useIsExpired(image);
  return (
    <button
      type="button"
      aria-label={image.filename}
      aria-current={current || undefined}
      style={blur === null || image.hidden || isExpired ? undefined : { backgroundImage: `url(${blur})` }}
      onClick={() => onShow(image.id)}
    >
      {isExpired ? (
        <TimerOff />
      ) : image.hidden ? (
        <EyeOff />
      ) : (
        <picture>
          {image.thumbnail_avif_url ? <source type="image/avif" srcSet={image.thumbnail_avif_url} /> : null}
          <img src={image.thumbnail_url} alt="" loading="lazy" decoding="async" draggable={false} />
        </picture>
      )}
    </button>
  );
});

interface StripProps {
  images: readonly Image[];
  id: string;
  onShow: (id: string) => void;
}

const NONE: readonly Image[] = [];

/** px from the left edge of the window */
function centerOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

/**
 * The page's thumbnails, rendered after the large picture. The current one is scrolled to the middle: not by `scrollIntoView`,
 * which also scrolls the dialog.
 */
export const Strip = memo(function Strip({ images, id, onShow }: StripProps) {
  useLanguage();
  const there = useDeferredValue(images, NONE);
  const strip = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image is current, or the thumbnails were rendered
  useEffect(() => {
    const current = strip.current?.querySelector('[aria-current]');
    if (strip.current && current) strip.current.scrollLeft += centerOf(current) - centerOf(strip.current);
  }, [id, there]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div ref={strip} className={styles.strip} data-chrome role="group" aria-label={preview.strip} data-inside>
      {there.map((image) => (
        <Thumb key={image.id} image={image} current={image.id === id} onShow={onShow} />
      ))}
    </div>
  );
});
