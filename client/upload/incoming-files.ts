import { useEffect, useState } from 'react';
import { upload as texts } from '../text/words.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { type ChosenFiles, isOfSystem, withoutSystemFiles } from './system-files.ts';
import { uploads } from './uploads.ts';

/** Files, or the address of a picture on another page. */
const isWelcome = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer !== null && (dataTransfer.types.includes('Files') || dataTransfer.types.includes('text/uri-list'));

/**
 * The files of a drop, including those in its folders. A drop can be read only during its event, so its entries are taken at
 * once; the code that walks folders loads only if there is one.
 */
async function droppedFiles(transfer: DataTransfer | null): Promise<ChosenFiles> {
  const items = [...(transfer?.items ?? [])].filter((item) => item.kind === 'file').map(holdItem);
  const kept = items.filter(({ file, folder }) => !isOfSystem((folder ?? file)?.name ?? ''));
  const found: ChosenFiles = { files: [], leftOut: items.length - kept.length };
  for (const { file, folder } of kept) {
    const below = folder && (await (await import('./folder-files.ts')).filesBelow(folder));
    found.files.push(...(below?.files ?? (file ? [file] : [])));
    found.leftOut += below?.leftOut ?? 0;
  }
  return items.length > 0 ? found : withoutSystemFiles([...(transfer?.files ?? [])]);
}

function holdItem(item: DataTransferItem) {
  const entry = item.webkitGetAsEntry?.();
  return { file: item.getAsFile(), folder: entry?.isDirectory ? (entry as FileSystemDirectoryEntry) : undefined };
}

/** Lists files, and says how many were left out. */
export function addFiles({ files, leftOut }: ChosenFiles): void {
  if (leftOut > 0) showSuccess(texts.drop.leftOut(leftOut));
  uploads.add(files);
}

async function addDropped(dropped: Promise<ChosenFiles>, uri: string, html: string): Promise<void> {
  const found = await dropped.catch(() => showError(texts.drop.unreadable));
  if (!found) return;
  if (found.files.length > 0 || found.leftOut > 0 || (uri === '' && html === '')) return addFiles(found);
  try {
    const { fileAt } = await import('./dropped-address.ts');
    uploads.add([await fileAt({ uri, html })]);
  } catch {
    showError(texts.drop.onlyAddress);
  }
}

function drop({ dataTransfer }: DragEvent): void {
  const read = (type: string): string => dataTransfer?.getData(type) ?? '';
  void addDropped(droppedFiles(dataTransfer), read('text/uri-list'), read('text/html'));
}

/** Named pictures so far: the clipboard's have no name. */
let named = 0;

async function paste(event: ClipboardEvent): Promise<void> {
  const { files, leftOut } = withoutSystemFiles([...(event.clipboardData?.files ?? [])]);
  if (files.length + leftOut === 0) return;
  event.preventDefault();
  const pasted = (await import('./pasted.ts').catch(() => undefined))?.namePasted(files, named) ?? files;
  named += pasted.filter((file, index) => file !== files[index]).length;
  addFiles({ files: [...pasted], leftOut });
}

/** Lists files dropped anywhere on the page, also in folders, pictures dragged from other pages, and pasted ones, if `open`. @returns whether files are dragged over the page */
export function useIncomingFiles(open: boolean): boolean {
  const [isOver, setOver] = useState(false);
  // The whole page accepts files while this screen is open.
  useEffect(() => {
    if (!open) return;
    /** Whether the drag began on this page: its own links and pictures are not dropped on it. */
    let isOwnDrag = false;
    const over = new AbortController();
    const onDrag = (name: 'dragenter' | 'dragover' | 'drop', act: (event: DragEvent) => void): void =>
      window.addEventListener(
        name,
        (event) => {
          if (isOwnDrag || !isWelcome(event)) return;
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
    const own = (began: boolean) => (): void => {
      isOwnDrag = began;
    };
    window.addEventListener('dragstart', own(true), over);
    window.addEventListener('dragend', own(false), over);
    // A removed element gets no dragend. The pointer sends no events during a drag.
    window.addEventListener('pointermove', own(false), over);
    window.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false), over);
    document.addEventListener('paste', (event) => void paste(event), over);
    return () => over.abort();
  }, [open]);
  return isOver;
}
