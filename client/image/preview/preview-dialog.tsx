import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { isField } from '../../lib/keyboard.ts';
import { placeholderUrl } from '../card/placeholder.ts';
import styles from './preview.module.css';
import { useOutside } from './use-dialog.ts';

interface PreviewDialogProps {
  dialog: RefObject<HTMLDialogElement | null>;
  titleId: string;
  image: Image;
  hasPanel: boolean;
  /** Closes the sheet over the picture, on phones; undefined if none is open. */
  closeSheet: (() => void) | undefined;
  /** Esc, or a press beside the picture and the controls. */
  onDismiss: () => void;
  /** A key press outside fields. */
  onKey: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** The overlay's <dialog>: its keys and presses, and whether its controls are hidden. */
export function PreviewDialog({
  dialog,
  titleId,
  image,
  hasPanel,
  closeSheet,
  onDismiss,
  onKey,
  children,
}: PreviewDialogProps) {
  /** Whether the controls are hidden. */
  const [bare, setBare] = useState(false);
  const outside = useOutside(onDismiss, () => {
    if (closeSheet) closeSheet();
    else setBare(!bare);
  });
  /** Not in a dialog above the overlay. */
  const isOwn = (target: EventTarget): boolean =>
    target instanceof Element && target.closest('dialog') === dialog.current;
  const blur = placeholderUrl(image.placeholder);
  return (
    <dialog
      ref={dialog}
      className={styles.preview}
      data-panel={hasPanel || undefined}
      data-bare={bare || undefined}
      aria-labelledby={titleId}
      onKeyDownCapture={(event) => {
        setBare(false);
        if (isOwn(event.target) && !isField(event.target)) onKey(event);
      }}
      onFocusCapture={({ target }) => {
        // A control that gets the focus, for example by Tab, must be visible.
        if (target.closest('[data-room]') === null && target !== dialog.current) setBare(false);
      }}
      onCancel={(event) => {
        if (!isOwn(event.target)) return;
        event.preventDefault();
        onDismiss();
      }}
      {...outside}
    >
      <div className={styles.ambient} style={blur === null ? undefined : { backgroundImage: `url(${blur})` }} />
      {children}
    </dialog>
  );
}
