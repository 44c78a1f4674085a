const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes for people, in decimal units: `3.2 GB`. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 || amount >= 9.95 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

/** `1 image`, `2 images` */
export const counted = (number: number, noun: string, several = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : several}`;
