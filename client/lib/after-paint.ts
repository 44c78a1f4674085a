/** Runs `work` once the page has painted what it has been told so far: the answer to a press comes before what costs. */
export function afterPaint(work: () => void): void {
  let isDone = false;
  const run = (): void => {
    document.removeEventListener('visibilitychange', run);
    if (!isDone) work();
    isDone = true;
  };
  // A hidden page paints nothing.
  if (document.hidden) run();
  else document.addEventListener('visibilitychange', run);
  requestAnimationFrame(() => setTimeout(run));
}
