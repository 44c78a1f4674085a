import { FolderPlus } from 'lucide-react';
import { useId, useState } from 'react';
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
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      id={id}
      popover="auto"
      className={styles.popover}
      role="dialog"
      aria-label={texts.add.button}
      onToggle={({ newState }) => setOpen(newState === 'open')}
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
