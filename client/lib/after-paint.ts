/** Runs `work` once the page has painted what it has been told so far: the answer to a press comes before what costs. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
