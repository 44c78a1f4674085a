import { useEffect, useState } from 'react';
import { upload as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';
import { uploads } from './uploads.ts';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * The files of a drop, including those in its folders. A drop can be read only during its event, so its entries are taken at
 * once; the code that walks folders loads only if there is one.
 */
async function droppedFiles(transfer: DataTransfer | null): Promise<readonly File[]> {
  const items = [...(transfer?.items ?? [])].filter((item) => item.kind === 'file').map(holdItem);
  if (!items.some((item) => item.entry?.isDirectory)) {
    const files = items.map((item) => item.file).filter((file) => file !== null);
    return files.length > 0 ? files : [...(transfer?.files ?? [])];
  }
  const { fromEvent } = await import('file-selector');
  const found: unknown[] = await fromEvent({ type: 'drop', dataTransfer: { items } });
  return found.filter((item) => item instanceof File);
}

function holdItem(item: DataTransferItem) {
  const entry = item.webkitGetAsEntry?.() ?? null;
  const file = item.getAsFile();
  return { kind: item.kind, entry, file, webkitGetAsEntry: () => entry, getAsFile: () => file };
}

function drop(event: DragEvent): void {
  droppedFiles(event.dataTransfer).then(uploads.add, () => showError(texts.drop.unreadable));
}

/** Named pictures so far: the clipboard's have no name. */
let named = 0;

async function paste(event: ClipboardEvent): Promise<void> {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length === 0) return;
  event.preventDefault();
  const pasted = (await import('./pasted.ts').catch(() => undefined))?.namePasted(files, named) ?? files;
  named += pasted.filter((file, index) => file !== files[index]).length;
  uploads.add(pasted);
}

/** Lists files dropped anywhere on the page, also in folders, and pasted ones, if `open`. @returns whether files are dragged over the page */
export function useIncomingFiles(open: boolean): boolean {
  const [isOver, setOver] = useState(false);
  // The whole page accepts files while this screen is open.
  useEffect(() => {
    if (!open) return;
    const over = new AbortController();
    const onDrag = (name: 'dragenter' | 'dragover' | 'drop', act: (event: DragEvent) => void): void =>
      window.addEventListener(
        name,
        (event) => {
          if (!carriesFiles(event)) return;
          event.preventDefault();
          setOver(name !== 'drop');
          act(event);
        },
        over,
      );
    const hold = ({ dataTransfer }: DragEvent): void => {
      if (dataTransfer) dataTransfer.dropEffect = 'copy';
    };
    onDrag('dragenter', hold);
    onDrag('dragover', hold);
    onDrag('drop', drop);
    window.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false), over);
    document.addEventListener('paste', (event) => void paste(event), over);
    return () => over.abort();
  }, [open]);
  return isOver;
}
