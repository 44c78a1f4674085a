import type { KeyboardEvent, RefObject } from 'react';
import type { ZoomRef } from 'yet-another-react-lightbox';
import type { Image } from '../../../server/contract.ts';
import { copyText } from '../../lib/copy-text.ts';
import { selection as texts } from '../../text/words.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { type Command, commandOf, isPan } from './preview-keys.ts';

interface Means {
  dialog: RefObject<HTMLDialogElement | null>;
  zoom: RefObject<ZoomRef | null>;
  /** the image in view, and the images of its strip */
  image: Image;
  images: readonly Image[];
  turn: (by: -1 | 1) => void;
  show: (id: string) => void;
  toggle: (section: 'all') => void;
  remove: (() => void) | undefined;
}

/** What each command of the overlay does. */
export function commandsOf(means: Means): Readonly<Record<Command, () => void>> {
  const { dialog, zoom, image, images, turn, show, toggle, remove } = means;
  const copy = async (): Promise<void> => {
    if (image.hidden) return;
    if (await copyText(image.url, dialog.current ?? document.body)) showSuccess(texts.copied(1));
    else showError(texts.copyRefused);
  };
  return {
    previous: () => turn(-1),
    next: () => turn(1),
    first: () => images[0] && show(images[0].id),
    last: () => show(images.at(-1)?.id ?? image.id),
    zoomIn: () => zoom.current?.zoomIn(),
    zoomOut: () => zoom.current?.zoomOut(),
    fit: () => zoom.current?.changeZoom(1),
    details: () => toggle('all'),
    copy: () => void copy(),
    download: () => dialog.current?.querySelector<HTMLElement>('a[download]')?.click(),
    remove: () => remove?.(),
  };
}

/** Forwards a key press to the lightbox, which pans the zoomed picture. */
function pan(dialog: HTMLElement, event: KeyboardEvent): void {
  const stage = dialog.querySelector('[data-room] [tabindex]');
  if (!stage || stage.contains(event.target as Node)) return;
  event.preventDefault();
  stage.dispatchEvent(new window.KeyboardEvent('keydown', { key: event.key, bubbles: true }));
}

/** Runs the command of a key. @param zoomed the overlay while its picture is zoomed (arrow keys then pan it), else null */
export function handleKey(
  event: KeyboardEvent,
  commands: Readonly<Record<Command, () => void>>,
  zoomed: HTMLElement | null,
): void {
  if (zoomed !== null && isPan(event.key)) {
    pan(zoomed, event);
    return;
  }
  const command = commandOf(event, document.dir === 'rtl');
  if (command === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  commands[command]();
}
