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
  area.on('beforestart', ({ event }) => {
    const target = event?.target;
    if (!(target instanceof Element) || target.closest(OWN) !== null) return false;
    // Prevents text selection during the press. `user-select: none` would restyle every element on each press.
    document.addEventListener('selectstart', prevent);
    addEventListener('mouseup', release, { once: true });
    return true;
  });
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
    release();
    area.destroy();
  };
}
