const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;

/** Keeps the browser from opening what is dropped on a page, outside a place that accepts it. Fields accept addresses as text. */
export function refuseDrops(): void {
  const refuse = (event: DragEvent): void => {
    const { defaultPrevented, dataTransfer, target, type } = event;
    if (defaultPrevented || dataTransfer === null) return;
    const isFile = dataTransfer.types.includes('Files');
    if (!isFile && (isField(target) || !dataTransfer.types.includes('text/uri-list'))) return;
    event.preventDefault();
    if (type === 'dragover') dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
