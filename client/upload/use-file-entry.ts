import { useEffect, useRef, useState } from 'react';
import { upload as texts } from '../text/words.ts';
import { showError } from '../ui/toast.ts';
import { droppedFiles } from './dropped.ts';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts dropped files, including those in folders. Returns whether files are dragged over the page. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(false);
      droppedFiles(event.dataTransfer).then(
        (files) => handler.current(files),
        () => showError(texts.drop.unreadable),
      );
    };
    const listeners = { dragenter: hold, dragover: hold, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name as 'drop', listener);
    };
  }, []);
  return over;
}

let pasted = 0;

/** Accepts files pasted with Ctrl/Cmd+V. */
export function usePastedFiles(onFiles: (files: readonly File[]) => void): void {
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    const paste = async (event: ClipboardEvent): Promise<void> => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      const pasting = await import('./pasted.ts').catch(() => undefined);
      const named = pasting?.namePasted(files, pasted) ?? files;
      pasted += named.filter((file, index) => file !== files[index]).length;
      handler.current(named);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
