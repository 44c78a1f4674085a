import SelectionArea from '@viselect/vanilla';
import styles from './rubber-band.module.css';

/** What a press on means something else by itself. */
const OWN = '[data-image], a, button, input, select, label, summary, h1, p, nav, [role="toolbar"], dialog';

const prevent = (event: Event): void => event.preventDefault();

/**
 * A frame drawn with the mouse over empty ground; what it touches is told while it is drawn.
 * @param begin called when one is begun @returns what ends it all
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
    // No text is marked meanwhile, whether it becomes a frame or not. By a style of the page each of its elements would be
    // styled anew, at each press.
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
