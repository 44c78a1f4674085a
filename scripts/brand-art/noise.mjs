/** Seeded noise: the same on every machine and in every run. */

/** @returns a generator of numbers in [0, 1) */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @returns smooth gradient noise in the plane, about -1 to 1 */
export function noiseFrom(seed) {
  const random = randomFrom(seed);
  const order = Array.from({ length: 256 }, (_, i) => i);
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const table = Uint8Array.from({ length: 512 }, (_, i) => order[i & 255]);
  const fade = (t) => t * t * t * (t * (t * 6 - 15) + 10);
  const across = Float64Array.from(table, (hash) => Math.cos((hash / 128) * Math.PI));
  const down = Float64Array.from(table, (hash) => Math.sin((hash / 128) * Math.PI));
  return (x, y) => {
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    const u = x - x0;
    const v = y - y0;
    const at = (i, j) => {
      const corner = table[(x0 + i) & 255] + ((y0 + j) & 255);
      return across[corner] * (u - i) + down[corner] * (v - j);
    };
    const start = at(0, 0);
    const top = start + (at(1, 0) - start) * fade(u);
    const end = at(0, 1);
    const bottom = end + (at(1, 1) - end) * fade(u);
    return (top + (bottom - top) * fade(v)) * 1.5;
  };
}

/** Sums octaves of `noise`, each twice as fine and half as strong as the last. */
export function fractal(noise, x, y, octaves) {
  let sum = 0;
  let strength = 0.5;
  for (let i = 0; i < octaves; i++) {
    sum += strength * noise(x, y);
    x = x * 2.03 + 17.1;
    y = y * 2.03 - 9.7;
    strength /= 2;
  }
  return sum;
}
