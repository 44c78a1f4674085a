export interface Tile {
  x: number;
  y: number;
  size: number;
  /** 0 to 1 */
  opacity: number;
}

/** Square tiles of 80, 40 and 20 units over `width` by `height`, some left out; deterministic for a `seed`. */
export function mosaicTiles(width: number, height: number, seed: number): Tile[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const tiles: Tile[] = [];
  function place(x: number, y: number, size: number) {
    if (x >= width || y >= height) return;
    if (size > 20 && random() < (size === 80 ? 0.82 : 0.62)) {
      const half = size / 2;
      for (const [dx, dy] of [[0, 0] as const, [half, 0] as const, [0, half] as const, [half, half] as const])
        place(x + dx, y + dy, half);
    } else if (random() < 0.74) {
      tiles.push({ x, y, size, opacity: Math.round(random() ** 1.6 * 30) / 100 });
    }
  }
  for (let y = 0; y < height; y += 80) for (let x = 0; x < width; x += 80) place(x, y, 80);
  return tiles.filter((tile) => tile.opacity > 0);
}
