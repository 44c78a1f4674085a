import { useRef } from 'react';
import { texts } from '../text/upload.ts';
import { showError } from '../ui/toast.tsx';
import { Announcer } from './announcer.tsx';
import { DropZone } from './drop-zone.tsx';
import { UploadDock } from './upload-dock.tsx';
import styles from './upload-screen.module.css';
import { UploadReceipt } from './upload-summary.tsx';
import { uploads, useUploads } from './uploads.ts';
import { useDroppedFiles, usePastedFiles } from './use-file-entry.ts';
import { useList } from './use-list.ts';

/** The pending list, the ways to add files, and the upload button. */
export function UploadScreen() {
  const state = useUploads();
  const zone = useRef<HTMLButtonElement>(null);
  const over = useDroppedFiles(uploads.add);
  usePastedFiles(uploads.add);
  const PendingList = useList();
  const upload = (): void => {
    // A second click, before the button was disabled.
    if (uploads.getState().run !== null) return;
    if (uploads.start()) return;
    showError(texts.toast.none);
    zone.current?.focus();
  };
  return (
    <>
      <DropZone ref={zone} over={over} compact={state.run !== null} onFiles={uploads.add} />
      {state.receipt === null ? null : <UploadReceipt receipt={state.receipt} zone={zone} />}
      {PendingList === undefined || state.files.length === 0 ? null : (
        <PendingList files={state.files} running={state.run !== null} zone={zone} />
      )}
      <div className={styles.gap} />
      <UploadDock state={state} onUpload={upload} zone={zone} />
      <Announcer />
    </>
  );
}
