import type { WaitingImage } from '../../server/contract.ts';
import { WaitingPicture } from '../image/card/waiting-picture.tsx';
import { focusInDialog } from '../lib/focus.ts';
import { formatMoment } from '../text/format-moment.ts';
import { separator, links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Choice } from './choice.tsx';
import styles from './waiting-images.module.css';

interface WaitingDialogProps {
  image: WaitingImage;
  /** The name of the link that it came by. */
  link: string | undefined;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onClose: () => void;
}

/** A waiting image in large, before its owner decides. */
export function WaitingDialog({ image, link, isChosen, onChoose, onClose }: WaitingDialogProps) {
  const { filename, guest } = image;
  const { wait } = texts.collect;
  const alt = guest === null ? filename : wait.alt(filename, guest);
  return (
    <Dialog title={<bdi>{filename}</bdi>} size="picture" onClose={onClose}>
      <WaitingPicture image={image} alt={alt} retry={texts.retry} />
      <p>
        {[guest && wait.from(guest), link && wait.by(link), formatMoment(image.uploaded_at)]
          .filter(Boolean)
          .join(separator)}
      </p>
      <div className={styles.bar}>
        <Choice filename={filename} isChosen={isChosen} onChoose={onChoose}>
          {wait.choose}
        </Choice>
        <Button ref={focusInDialog} variant="line" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}
