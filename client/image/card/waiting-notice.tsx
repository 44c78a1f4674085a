import type { Image } from '../../../server/contract.ts';
import { linksPath } from '../../routes.ts';
import { gallery, preview as texts } from '../../text/words.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { altOf } from '../facts.ts';
import styles from './picture-notice.module.css';
import { WaitingPicture } from './waiting-picture.tsx';

interface WaitingNoticeProps {
  image: Image;
  /** Whether to load the picture. */
  wanted: boolean;
}

/** For an image that a guest of a collect link added. */
export default function WaitingNotice({ image, wanted }: WaitingNoticeProps) {
  const { title, text, decide } = texts.hidden.waiting;
  return (
    <div className={styles.notice} data-inside data-waiting>
      {wanted ? <WaitingPicture image={image} alt={altOf(image)} retry={gallery.retry} /> : null}
      <h3>{title}</h3>
      <p>{text}</p>
      <ButtonLink variant="line" href={linksPath}>
        {decide}
      </ButtonLink>
    </div>
  );
}
