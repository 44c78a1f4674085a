import { whenIdle } from './when-idle.ts';

/** Milliseconds after the load event that are reserved for the page's own requests, mainly its pictures. */
const head = 3_000;

/** Runs `work` well after the page has loaded and is idle, for what no screen needs. */
export function whenSettled(work: () => void): void {
  const later = () => setTimeout(() => whenIdle(work), head);
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
}
