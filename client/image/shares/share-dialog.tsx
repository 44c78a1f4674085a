import { useState } from 'react';
import type { Share } from '../../../server/contract.ts';
import { links as texts } from '../../text/words.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { showSuccess } from '../../ui/toasts/toast.ts';
import { CopiedWarning, SelectionHint } from './copied-warning.tsx';
import { MadeShare } from './made-share.tsx';
import { choiceOf, newChoice, optionsOf, type ShareChoice } from './share-choice.ts';
import { ShareForm } from './share-form.tsx';
import { type ShareSubject, titleOf } from './share-subject.ts';
import { addShare, editShare } from './shares.ts';

/** Creates a share of an album or of a selection, and shows its link. */
export function ShareDialog({ subject, onClose }: { subject: ShareSubject; onClose: () => void }) {
  const { shares } = texts;
  const { album, images } = subject;
  const [made, setMade] = useState<Share>();
  const [initial] = useState(() => newChoice(album?.name ?? shares.defaultName(images.length), Date.now()));
  const create = async (choice: ShareChoice): Promise<void> => {
    const shown = album === undefined ? { images: images.map(({ id }) => id) } : { album: album.id };
    const { password, ...options } = optionsOf(choice, undefined, Date.now());
    setMade(await addShare({ ...shown, ...options, ...(password ? { password } : {}) }));
  };
  return (
    <Dialog title={made ? shares.made.title : titleOf(subject)} onClose={onClose}>
      {made ? (
        <MadeShare share={made} onClose={onClose} />
      ) : (
        <ShareForm
          initial={initial}
          save={shares.form.create}
          onSave={create}
          onCancel={onClose}
          warning={<CopiedWarning subject={subject} />}
        />
      )}
    </Dialog>
  );
}

interface EditShareProps {
  share: Share;
  /** The link of its album's public page; null for none. */
  albumLink: string | null;
  onClose: () => void;
}

/** Changes the settings of a share. */
export function EditShareDialog({ share, albumLink, onClose }: EditShareProps) {
  const { shares } = texts;
  const [initial] = useState(() => choiceOf(share, Date.now()));
  const save = async (choice: ShareChoice): Promise<void> => {
    await editShare(share.id, optionsOf(choice, share, Date.now()));
    showSuccess(shares.saved);
    onClose();
  };
  const { album, name } = share;
  return (
    <Dialog title={shares.editTitle} onClose={onClose}>
      <ShareForm
        initial={initial}
        before={share}
        save={texts.save}
        onSave={save}
        onCancel={onClose}
        warning={
          album === null ? (
            <SelectionHint />
          ) : (
            <CopiedWarning subject={{ album: { id: album, name, link: albumLink }, images: [] }} />
          )
        }
      />
    </Dialog>
  );
}
