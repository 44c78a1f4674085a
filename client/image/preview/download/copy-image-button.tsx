import { Check, Copy } from 'lucide-react';
import type { Image } from '../../../../server/contract.ts';
import { useShortly } from '../../../lib/hooks/use-shortly.ts';
import { preview, gallery as texts } from '../../../text/words.ts';
import { COPIED_MS } from '../../../ui/buttons/use-copied.ts';
import { showError } from '../../../ui/toasts/toast.ts';
import mini from '../../card/mini-button.module.css';
import { copyImage } from './copy-image.ts';

interface CopyImageButtonProps {
  image: Image;
  describedBy: string;
  className?: string | undefined;
}

/** Copies the picture itself; the button reads `Copied!` for two seconds. */
export function CopyImageButton({ image, describedBy, className = '' }: CopyImageButtonProps) {
  const [copied, showCopied] = useShortly(COPIED_MS);
  const copy = async (): Promise<void> => {
    const refusal = await copyImage(image);
    if (refusal) showError(preview.copyImage.failed, preview.copyImage[refusal]);
    else showCopied();
  };
  return (
    <button
      type="button"
      className={`${mini.mini} ${className}`}
      data-done={copied || undefined}
      aria-describedby={describedBy}
      onClick={() => void copy()}
    >
      {copied ? <Check /> : <Copy />}
      {copied ? texts.card.copied : texts.card.copy}
    </button>
  );
}
