/** Drag and drop in a list: at once with a mouse, after a short rest with a finger. */

const REST_MS = 300;

/** px that a mouse moves before it drags, and that a resting finger may move */
const STRAY = 8;

/** px from the window's edges in which the page scrolls, and px per frame */
const EDGE = 70;
const STEP = 14;

interface Drag {
  item: HTMLElement;
  pointer: number;
  isTouch: boolean;
  from: { x: number; y: number };
  now: { x: number; y: number };
  isOn: boolean;
  /** The item before which the dragged one would be put; null for the end. */
  before?: Element | null;
  timer?: ReturnType<typeof setTimeout>;
}

const isMirrored = (): boolean => document.dir === 'rtl';

/** The item before which the dragged one is, in reading order; null for the end. */
function itemBehind(list: HTMLElement, { item: dragged, now: { x, y } }: Drag): Element | null {
  for (const item of list.children) {
    if (item === dragged) continue;
    const { top, bottom, left, right } = item.getBoundingClientRect();
    if (y > bottom) continue;
    const middle = (left + right) / 2;
    if (y < top || (isMirrored() ? x > middle : x < middle)) return item;
  }
  return null;
}

/**
 * @param onMove `from` and `before` are indexes; `before` is the list's length for the end
 * @returns a function that removes the listeners
 */
export function watchDragging(list: HTMLElement, onMove: (from: number, before: number) => void): () => void {
  let drag: Drag | undefined;
  let isClickOver = false;

  const mark = (before?: Element | null): void => {
    for (const item of list.children) {
      item.toggleAttribute('data-before', item === before);
      item.toggleAttribute('data-after', before === null && item === list.lastElementChild);
    }
  };
  function follow(): void {
    if (!drag?.isOn) return;
    const { now, from } = drag;
    if (now.y < EDGE) window.scrollBy(0, -STEP);
    else if (now.y > window.innerHeight - EDGE) window.scrollBy(0, STEP);
    drag.item.style.translate = `${now.x - from.x}px ${now.y + window.scrollY - from.y}px`;
    drag.before = itemBehind(list, drag);
    mark(drag.before);
    requestAnimationFrame(follow);
  }
  function begin(): void {
    if (!drag) return;
    drag.isOn = true;
    drag.from = { x: drag.now.x, y: drag.now.y + window.scrollY };
    drag.item.toggleAttribute('data-dragged', true);
    if (drag.isTouch) navigator.vibrate?.(10);
    requestAnimationFrame(follow);
  }
  function end(isDropped: boolean): void {
    if (!drag) return;
    const { item, isOn } = drag;
    const before = isOn ? itemBehind(list, drag) : undefined;
    clearTimeout(drag.timer);
    drag = undefined;
    mark();
    item.style.removeProperty('translate');
    item.removeAttribute('data-dragged');
    isClickOver = isOn;
    if (!isDropped || before === undefined) return;
    const items = [...list.children];
    const from = items.indexOf(item);
    const to = before === null ? items.length : items.indexOf(before);
    if (from >= 0 && to !== from && to !== from + 1) onMove(from, to);
  }

  const stop = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(
    target: EventTarget,
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
    options?: AddEventListenerOptions,
  ): void => target.addEventListener(name, listener as EventListener, { ...options, signal: stop.signal });

  on(list, 'pointerdown', ({ target, button, isPrimary, pointerId, pointerType, clientX: x, clientY: y }) => {
    isClickOver = false;
    const item =
      target instanceof Element && target.closest('[data-picture]') ? target.closest<HTMLElement>('li') : null;
    if (!item || !isPrimary || button !== 0 || drag) return;
    const isTouch = pointerType === 'touch';
    drag = { item, pointer: pointerId, isTouch, from: { x, y }, now: { x, y }, isOn: false };
    if (isTouch) drag.timer = setTimeout(begin, REST_MS);
  });
  on(document, 'pointermove', ({ pointerId, clientX: x, clientY: y }) => {
    if (drag?.pointer !== pointerId) return;
    drag.now = { x, y };
    if (drag.isOn || Math.hypot(x - drag.from.x, y - drag.from.y) < STRAY) return;
    if (drag.isTouch) end(false);
    else begin();
  });
  const lift =
    (isDropped: boolean) =>
    ({ pointerId }: PointerEvent): void => {
      if (drag?.pointer === pointerId) end(isDropped);
      // The click of a drop follows at once, or not at all: a later one comes from the keyboard.
      setTimeout(() => {
        isClickOver = false;
      });
    };
  on(document, 'pointerup', lift(true));
  on(document, 'pointercancel', lift(false));
  on(document, 'keydown', (event) => {
    if (event.key !== 'Escape' || !drag?.isOn) return;
    event.preventDefault();
    end(false);
  });
  // While dragging, the finger must not scroll or open a context menu. The touch stays the list's wherever the finger moves.
  on(list, 'touchmove', (event) => drag?.isOn && event.preventDefault(), { passive: false });
  on(list, 'contextmenu', (event) => drag?.isTouch && event.preventDefault());
  // Disables the browser's own dragging of links and pictures.
  on(list, 'dragstart', (event) => event.preventDefault());
  on(
    list,
    'click',
    (event) => {
      if (!isClickOver) return;
      isClickOver = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  return () => {
    end(false);
    stop.abort();
  };
}
