import { Check, CodeXml, Copy, Info, Trash2 } from 'lucide-react';
import type { Image } from '../../../server/contract.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { useCopied } from '../../ui/buttons/use-copied.ts';
import { Spinner } from '../../ui/progress/spinner.tsx';
import { showError } from '../../ui/toasts/toast.ts';
import { useIsExpired } from '../expiry/use-time-left.ts';
import styles from './preview-actions.module.css';
import type { Section } from './preview-panel.tsx';
import type { PreviewParts } from './preview-parts.ts';

interface PreviewActionsProps {
  parts: PreviewParts;
  image: Image;
  section: Section | null;
  onSection: (section: Section) => void;
  deleting: boolean;
  /** Undefined where images are not deleted. */
  onDelete: (() => void) | undefined;
}

function CopyLink({ url }: { url: string }) {
  const [state, copy] = useCopied(() => showError(selection.copyRefused));
  const isCopied = state === 'copied';
  return (
    <button type="button" data-done={isCopied || undefined} onClick={(event) => copy(url, event.currentTarget)}>
      {isCopied ? <Check /> : <Copy />}
      {isCopied ? texts.card.copied : texts.card.copy}
    </button>
  );
}

/** The bottom bar on phones, which replaces the panel. */
export function PreviewActions({ parts, image, section, onSection, deleting, onDelete }: PreviewActionsProps) {
  const { card } = texts;
  const { Download } = parts;
  const isExpired = useIsExpired(image);
  return (
    <div className={styles.actions} data-inside data-chrome>
      {image.hidden || isExpired || parts.hasPrivateLinks ? null : (
        <>
          <CopyLink key={image.id} url={image.url} />
          <button type="button" aria-expanded={section === 'codes'} onClick={() => onSection('codes')}>
            <CodeXml />
            {preview.copyAs}
          </button>
        </>
      )}
      <Download image={image} look="action" />
      <button type="button" aria-expanded={section === 'details'} onClick={() => onSection('details')}>
        <Info />
        {preview.details}
      </button>
      {onDelete ? (
        <button
          type="button"
          data-danger
          aria-disabled={deleting || undefined}
          onClick={deleting ? undefined : onDelete}
        >
          {deleting ? <Spinner /> : <Trash2 />}
          {deleting ? card.removing : card.remove}
        </button>
      ) : null}
    </div>
  );
}
