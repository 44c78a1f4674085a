/** Runs `work` after the next paint, so that the response to a click is visible before costly work. */
export function afterPaint(work: () => void): void {
  let isDone = false;
  const run = (): void => {
    document.removeEventListener('visibilitychange', run);
    if (!isDone) work();
    isDone = true;
  };
  // A hidden page does not paint.
  if (document.hidden) run();
  else document.addEventListener('visibilitychange', run);
  requestAnimationFrame(() => setTimeout(run));
}
