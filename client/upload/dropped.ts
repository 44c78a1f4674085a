/**
 * The files of a drop, including those in its folders. A drop can be read only during its event, so its entries are taken at
 * once; the code that walks folders loads only if there is one.
 */
export async function droppedFiles(transfer: DataTransfer | null): Promise<readonly File[]> {
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
