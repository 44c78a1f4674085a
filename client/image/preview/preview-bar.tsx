import { Info, Maximize2, Minimize2, X, ZoomIn, ZoomOut } from 'lucide-react';
import type { Image } from '../../../server/contract.ts';
import { focusInDialog } from '../../lib/focus.ts';
import { preview, separator, gallery as texts } from '../../text/words.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { formatDate } from '../facts.ts';
import styles from './preview-bar.module.css';
import type { PreviewParts } from './preview-parts.ts';

interface PreviewBarProps {
  parts: PreviewParts;
  titleId: string;
  image: Image;
  /** from 1 */
  position: number;
  /** NaN where it is unknown */
  count: number;
  /** undefined if zooming would show no more detail */
  zoomed: boolean | undefined;
  onZoom: () => void;
  onZoomIn: () => void;
  onZoomOut: () => void;
  detailsShown: boolean;
  onDetails: () => void;
  onClose: () => void;
}

/** The top of the stage: filename and position, announced on each change, and the close button. */
export function PreviewBar(props: PreviewBarProps) {
  const { titleId, image, position, count, zoomed, onZoom, onZoomIn, onZoomOut } = props;
  const { detailsShown, onDetails, onClose } = props;
  const { Download, Actions } = props.parts;
  return (
    <div className={styles.bar} data-chrome>
      <div className={styles.title} data-inside aria-live="polite" aria-atomic="true">
        <h2 id={titleId}>
          <bdi className="ellipsis">{image.filename}</bdi>
        </h2>
        <p className="num">
          {[
            Number.isNaN(count) ? '' : preview.position(position, count),
            image.uploaded_at === '' ? '' : `${texts.card.uploaded} ${formatDate(image.uploaded_at)}`,
          ]
            .filter((part) => part !== '')
            .join(separator)}
        </p>
      </div>
      {zoomed === undefined ? null : (
        <div className={styles.pill} data-always data-inside>
          <IconButton className={styles.step} label={preview.zoomOut} onClick={onZoomOut}>
            <ZoomOut />
          </IconButton>
          <IconButton label={zoomed ? preview.fit : preview.zoom} onClick={onZoom}>
            {zoomed ? <Minimize2 /> : <Maximize2 />}
          </IconButton>
          <IconButton className={styles.step} label={preview.zoomIn} onClick={onZoomIn}>
            <ZoomIn />
          </IconButton>
        </div>
      )}
      {Actions ? (
        <div className={styles.pill} data-always data-inside>
          <Actions />
        </div>
      ) : null}
      <div className={styles.pill} data-inside>
        <Download image={image} look="icon" />
        <IconButton label={preview.details} aria-pressed={detailsShown} onClick={onDetails}>
          <Info />
        </IconButton>
      </div>
      <IconButton ref={focusInDialog} className={styles.close} label={preview.close} onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}
