/** Returns a function that calls back at most once in `pause` milliseconds. */
export function throttledWarning(pause: number): (warn: () => void) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (warn) => {
    const now = performance.now();
    if (now - last < pause) return;
    last = now;
    warn();
  };
}
