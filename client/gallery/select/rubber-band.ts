import SelectionArea from '@viselect/vanilla';
import styles from './rubber-band.module.css';

/** Elements on which a press does not start a frame. */
const OWN = '[data-image], a, button, input, select, label, summary, h1, p, nav, [role="toolbar"], dialog';

const prevent = (event: Event): void => event.preventDefault();

/**
 * Selects by a frame drawn with the mouse from empty ground, and reports the ids it touches on each move.
 * @param begin called when a frame starts @returns a function that removes all listeners
 */
export function watchRubberBand(begin: () => (ids: ReadonlySet<string>) => void): () => void {
  let tell: ((ids: ReadonlySet<string>) => void) | undefined;
  const release = (): void => document.removeEventListener('selectstart', prevent);
  const area = new SelectionArea({
    selectionAreaClass: styles.area ?? '',
    selectables: ['main [data-image]'],
    startAreas: ['main'],
    boundaries: ['html'],
    behaviour: { overlap: 'keep', intersect: 'touch', startThreshold: 8 },
    features: { touch: false, range: false, singleTap: { allow: false } },
  });
  const press = (event: MouseEvent): void => {
    const { button, target } = event;
    if (button !== 0 || !(target instanceof Element) || target.closest(OWN) !== null || target.closest('main') === null)
      return;
    // Prevents text selection during the press. `user-select: none` would restyle every element on each press.
    document.addEventListener('selectstart', prevent);
    addEventListener('mouseup', release, { once: true });
    area.trigger(event);
  };
  // The library's own listener forces a layout on each press, before it asks where the press is.
  area.disable();
  document.addEventListener('mousedown', press);
  area.on('start', ({ selection }) => {
    selection.clearSelection();
    tell = begin();
  });
  area.on('move', ({ store }) => {
    const touched = store.selected.map((element) => (element as HTMLElement).dataset.image ?? '');
    tell?.(new Set(touched));
  });
  area.on('stop', release);
  return () => {
    document.removeEventListener('mousedown', press);
    release();
    area.destroy();
  };
}
