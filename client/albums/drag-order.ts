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

/** Marks the place of the dragged item: the item after it, or the end of the list (null). Undefined removes the mark. */
function mark(list: HTMLElement, before?: Element | null): void {
  for (const item of list.children) {
    item.toggleAttribute('data-before', item === before);
    item.toggleAttribute('data-after', before === null && item === list.lastElementChild);
  }
}

/** Drags one item of a list at a time. */
function createDragging(list: HTMLElement, onMove: (from: number, before: number) => void) {
  let drag: Drag | undefined;

  function follow(): void {
    if (!drag?.isOn) return;
    const { now, from } = drag;
    if (now.y < EDGE) window.scrollBy(0, -STEP);
    else if (now.y > window.innerHeight - EDGE) window.scrollBy(0, STEP);
    drag.item.style.translate = `${now.x - from.x}px ${now.y + window.scrollY - from.y}px`;
    drag.before = itemBehind(list, drag);
    mark(list, drag.before);
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
  /** @returns whether the item had been dragged */
  function end(isDropped: boolean): boolean {
    if (!drag) return false;
    const { item, isOn } = drag;
    const before = isOn ? itemBehind(list, drag) : undefined;
    clearTimeout(drag.timer);
    drag = undefined;
    mark(list);
    item.style.removeProperty('translate');
    item.removeAttribute('data-dragged');
    if (!isDropped || before === undefined) return isOn;
    const items = [...list.children];
    const from = items.indexOf(item);
    const to = before === null ? items.length : items.indexOf(before);
    if (from >= 0 && to !== from && to !== from + 1) onMove(from, to);
    return isOn;
  }

  return {
    /** What is pressed or dragged. */
    current: (): Drag | undefined => drag,
    press(item: HTMLElement, { pointerId, pointerType, clientX: x, clientY: y }: PointerEvent): void {
      const isTouch = pointerType === 'touch';
      drag = { item, pointer: pointerId, isTouch, from: { x, y }, now: { x, y }, isOn: false };
      if (isTouch) drag.timer = setTimeout(begin, REST_MS);
    },
    move({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
      if (drag?.pointer !== pointerId) return;
      drag.now = { x, y };
      if (drag.isOn || Math.hypot(x - drag.from.x, y - drag.from.y) < STRAY) return;
      if (drag.isTouch) end(false);
      else begin();
    },
    end,
  };
}

/**
 * @param onMove `from` and `before` are indexes; `before` is the list's length for the end
 * @returns a function that removes the listeners
 */
export function watchDragging(list: HTMLElement, onMove: (from: number, before: number) => void): () => void {
  const { current, press, move, end } = createDragging(list, onMove);
  let isClickOver = false;

  const stop = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(
    target: EventTarget,
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
    options?: AddEventListenerOptions,
  ): void => target.addEventListener(name, listener as EventListener, { ...options, signal: stop.signal });

  on(list, 'pointerdown', (event) => {
    isClickOver = false;
    const { target, button, isPrimary } = event;
    const item =
      target instanceof Element && target.closest('[data-picture]') ? target.closest<HTMLElement>('li') : null;
    if (item && isPrimary && button === 0 && !current()) press(item, event);
  });
  on(document, 'pointermove', move);
  const lift =
    (isDropped: boolean) =>
    ({ pointerId }: PointerEvent): void => {
      if (current()?.pointer === pointerId) isClickOver = end(isDropped);
      // The click of a drop follows at once, or not at all: a later one comes from the keyboard.
      setTimeout(() => {
        isClickOver = false;
      });
    };
  on(document, 'pointerup', lift(true));
  on(document, 'pointercancel', lift(false));
  on(document, 'keydown', (event) => {
    if (event.key !== 'Escape' || !current()?.isOn) return;
    event.preventDefault();
    isClickOver = end(false);
  });
  // While dragging, the finger must not scroll or open a context menu. The touch stays the list's wherever the finger moves.
  on(list, 'touchmove', (event) => current()?.isOn && event.preventDefault(), { passive: false });
  on(list, 'contextmenu', (event) => current()?.isTouch && event.preventDefault());
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
