import { useState } from 'react';
import type { Album, CollectLink } from '../../server/contract.ts';
import { MadeShare } from '../image/shares/made-share.tsx';
import { links as texts } from '../text/words.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import { type CollectChoice, choiceOf, newChoice, optionsOf } from './collect-choice.ts';
import { CollectForm } from './collect-form.tsx';
import { addCollectLink, editCollectLink } from './collect-links.ts';

interface CollectDialogProps {
  album: Pick<Album, 'id' | 'name'>;
  onClose: () => void;
}

/** Creates a collect link for an album, and shows it. */
export function CollectDialog({ album, onClose }: CollectDialogProps) {
  const { collect, shares } = texts;
  const [made, setMade] = useState<CollectLink>();
  const [initial] = useState(() => newChoice(album.name, Date.now()));
  const create = async (choice: CollectChoice): Promise<void> => {
    const { password, ...options } = optionsOf(choice, undefined, Date.now());
    setMade(await addCollectLink({ album: album.id, ...options, ...(password ? { password } : {}) }));
  };
  return (
    <Dialog title={made ? collect.made.title : collect.title(album.name)} onClose={onClose}>
      {made ? (
        <MadeShare share={made} made={collect.made} onClose={onClose} />
      ) : (
        <CollectForm initial={initial} save={shares.form.create} onSave={create} onCancel={onClose} />
      )}
    </Dialog>
  );
}

/** Changes the settings of a collect link. */
export function EditCollectDialog({ link, onClose }: { link: CollectLink; onClose: () => void }) {
  const { collect } = texts;
  const [initial] = useState(() => choiceOf(link, Date.now()));
  const save = async (choice: CollectChoice): Promise<void> => {
    await editCollectLink(link.id, optionsOf(choice, link, Date.now()));
    showSuccess(collect.saved);
    onClose();
  };
  return (
    <Dialog title={collect.editTitle} onClose={onClose}>
      <CollectForm initial={initial} before={link} save={texts.save} onSave={save} onCancel={onClose} />
    </Dialog>
  );
}
