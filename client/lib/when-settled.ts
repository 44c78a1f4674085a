import { whenIdle } from './when-idle.ts';

/** Milliseconds after the page's load event in which what it began with, pictures above all, has the network to itself. */
const head = 3_000;

/** Runs `work` once the page has come to rest: for what no screen needs. */
export function whenSettled(work: () => void): void {
  const later = () => setTimeout(() => whenIdle(work), head);
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
}
