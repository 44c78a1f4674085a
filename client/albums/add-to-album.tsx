import { FolderPlus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { albums as texts } from '../text/words.ts';
import styles from './add-to-album.module.css';
import { AlbumTicks } from './album-ticks.tsx';

interface AlbumPopoverProps {
  /** Id of the popover: a button with it as its `popoverTarget` opens it. */
  id: string;
  /** Image ids, at most 5,000. */
  ids: readonly string[];
}

export function AlbumPopover({ id, ids }: AlbumPopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const element = popover.current;
    const toggled = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, []);
  return (
    <div
      ref={popover}
      id={id}
      popover="auto"
      className={styles.popover}
      role="dialog"
      aria-label={texts.add.button}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {isOpen ? <AlbumTicks ids={ids} /> : null}
    </div>
  );
}

/** A toolbar button that opens the popover. */
export function AddToAlbum({ ids, className }: { ids: readonly string[]; className?: string }) {
  const id = useId();
  const none = ids.length === 0;
  return (
    <>
      <button
        type="button"
        className={className}
        tabIndex={-1}
        aria-disabled={none || undefined}
        aria-haspopup="dialog"
        title={texts.add.button}
        {...(none ? {} : { popoverTarget: id })}
      >
        <FolderPlus />
        <span>{texts.add.button}</span>
      </button>
      <AlbumPopover id={id} ids={ids} />
    </>
  );
}
