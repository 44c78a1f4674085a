/** Reports stored images to the rest of the page once per burst: each report fetches the gallery and the usage again. */
const BURST_MS = 1000;

/** @param report called at once with the first images, then with all others of the burst together */
export function createReports(report: (images: number) => void, setTimer: (work: () => void, ms: number) => unknown) {
  let images = 0;
  let count = 0;
  let isWaiting = false;
  const flush = (): void => {
    isWaiting = count > 0;
    if (!isWaiting) return;
    const sum = images;
    [images, count] = [0, 0];
    setTimer(flush, BURST_MS);
    report(sum);
  };
  return (stored: number): void => {
    images += stored;
    count += 1;
    if (!isWaiting) flush();
  };
}
