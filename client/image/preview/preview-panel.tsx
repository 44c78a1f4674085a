import { Trash2 } from 'lucide-react';
import { memo, useId } from 'react';
import type { Image } from '../../../server/contract.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { useLanguage } from '../../text/language.ts';
import { preview, gallery as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { codesFor } from '../embed-codes.ts';
import { useIsExpired } from '../expiry/use-time-left.ts';
import { formatDate, formatDimensions, formatType } from '../facts.ts';
import { CopyImageButton } from './download/copy-image-button.tsx';
import styles from './preview-panel.module.css';
import type { PreviewParts } from './preview-parts.ts';

/** Sections of the panel: all of them on a desktop, one in a sheet on a phone. */
export type Section = 'all' | 'details' | 'codes';

function Facts({ image }: { image: Image }) {
  const { facts } = preview;
  const rows = [
    [facts.filename, <bdi key="name">{image.filename}</bdi>],
    ...(image.uploaded_at === '' ? [] : [[facts.uploaded, formatDate(image.uploaded_at)] as const]),
    [facts.dimensions, formatDimensions(image.width, image.height)],
    [facts.size, formatBytes(image.size)],
    [facts.type, formatType(image.content_type)],
    ...(image.camera ? [[facts.camera, <bdi key="camera">{image.camera}</bdi>] as const] : []),
  ] as const;
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Codes({ image }: { image: Image }) {
  const id = useId();
  return (
    <div className={styles.codes}>
      {codesFor(image).map(({ kind, text }) => (
        <div className={styles.code} key={kind}>
          <b id={`${id}${kind}`}>{preview.codes[kind]}</b>
          <code className="ellipsis" dir="ltr">
            {text}
          </code>
          <CopyButton text={text} describedBy={`${id}${kind}`} className={styles.copy} />
        </div>
      ))}
      <div className={styles.code}>
        <b id={`${id}image`}>{preview.copyImage.label}</b>
        <span className={styles.hint}>{preview.copyImage.hint}</span>
        <CopyImageButton image={image} describedBy={`${id}image`} className={styles.copy} />
      </div>
    </div>
  );
}

interface PreviewPanelProps {
  parts: PreviewParts;
  image: Image;
  section: Section;
  deleting: boolean;
  /** Undefined where images are not deleted. */
  onDelete: (() => void) | undefined;
}

export const PreviewPanel = memo(function PreviewPanel(props: PreviewPanelProps) {
  useLanguage();
  const { image, section, deleting, onDelete } = props;
  const { Download, Details } = props.parts;
  const { details, copyAs } = preview;
  const isExpired = useIsExpired(image);
  const hasLink = !image.hidden && !isExpired && !props.parts.hasPrivateLinks;
  return (
    <aside className={styles.panel} data-inside aria-label={section === 'codes' ? copyAs : details}>
      {section === 'codes' ? null : (
        <>
          <h3 className={styles.head}>{details}</h3>
          <Facts image={image} />
          <Details image={image} />
        </>
      )}
      {section === 'all' && hasLink ? <hr className={styles.rule} /> : null}
      {section === 'details' || !hasLink ? null : (
        <>
          <h3 className={section === 'codes' ? styles.head : undefined}>{copyAs}</h3>
          <Codes key={image.id} image={image} />
        </>
      )}
      <div className={styles.foot}>
        <Download image={image} look="button" />
        {onDelete ? (
          <Button variant="line" className={styles.delete} busy={deleting} onClick={onDelete}>
            {deleting ? null : <Trash2 />}
            {deleting ? texts.card.removing : texts.card.remove}
          </Button>
        ) : null}
      </div>
    </aside>
  );
});
