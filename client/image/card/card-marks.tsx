import type { ReactNode } from 'react';
import type { Image } from '../../../server/contract.ts';
import { ExpiryMark } from '../expiry/expiry-mark.tsx';
import { HiddenMark } from './hidden-picture.tsx';

interface CardMarksProps {
  image: Image;
  /** The id for the text that describes the card's picture. */
  textId: string;
}

/** What few cards have: signs that the image is hidden, or expires. */
export function CardMarks({ image, textId }: CardMarksProps): ReactNode {
  return (
    <>
      {image.hidden ? <HiddenMark image={image} /> : null}
      {image.expires_at === null ? null : <ExpiryMark end={image.expires_at} textId={textId} />}
    </>
  );
}
