import { Check, CodeXml, Copy, Info, Trash2 } from 'lucide-react';
import { useEffect, useLayoutEffect } from 'react';
import type { Image } from '../../../server/contract.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { showError } from '../../ui/toast.ts';
import { useCopied } from '../use-copied.ts';
import { DownloadLink } from './download-link.tsx';
import styles from './preview-actions.module.css';
import type { Section } from './preview-panel.tsx';

interface PreviewActionsProps {
  image: Image;
  section: Section | null;
  onSection: (section: Section) => void;
  onDelete: () => void;
}

/** The bottom bar on phones, which replaces the panel. */
export function PreviewActions({ image, section, onSection, onDelete }: PreviewActionsProps) {
  const [state, copy, reset] = useCopied();
  const { card } = texts;
  useEffect(() => {
    if (state !== 'refused') return;
    showError(selection.copyRefused);
    reset();
  }, [state, reset]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image resets the button
  useLayoutEffect(reset, [image.id, reset]);
  return (
    <div className={styles.actions} data-inside data-chrome>
      {image.hidden ? null : (
        <>
          <button
            type="button"
            data-done={state === 'copied' || undefined}
            onClick={(event) => {
              copy(image.url, event.currentTarget);
            }}
          >
            {state === 'copied' ? <Check /> : <Copy />}
            {state === 'copied' ? card.copied : card.copy}
          </button>
          <button type="button" aria-expanded={section === 'codes'} onClick={() => onSection('codes')}>
            <CodeXml />
            {preview.copyAs}
          </button>
        </>
      )}
      <DownloadLink image={image} look="action" />
      <button type="button" aria-expanded={section === 'details'} onClick={() => onSection('details')}>
        <Info />
        {preview.details}
      </button>
      <button type="button" data-danger onClick={onDelete}>
        <Trash2 />
        {card.remove}
      </button>
    </div>
  );
}
