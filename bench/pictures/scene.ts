/** Generates a scene with what makes a photograph large and slow to decode: detail at every scale, and noise. */

/** 8-bit RGB samples, row by row. */
export type Scene = { data: Uint8ClampedArray; width: number; height: number };

type Random = () => number;

/** mulberry32: numbers in [0, 1), the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SIDE = 1024;
const MASK = SIDE - 1;

/** Makes a seamless tile: octaves of random lattices, each twice as fine and weaker than the last. */
function makeTexture(random: Random): Float32Array {
  const tile = new Float32Array(SIDE * SIDE);
  for (let cells = 4, strength = 0.7; cells <= SIDE / 2; cells *= 2, strength *= 0.84) {
    const lattice = Float32Array.from({ length: cells * cells }, () => (random() * 2 - 1) * strength);
    addLattice(tile, lattice, cells);
  }
  return tile;
}

/** Adds a lattice of cells x cells, interpolated to the tile. */
function addLattice(tile: Float32Array, lattice: Float32Array, cells: number): void {
  const at = (x: number, y: number) => lattice[(y % cells) * cells + (x % cells)] ?? 0;
  const step = cells / SIDE;
  for (let y = 0; y < SIDE; y += 1) {
    const row = Math.floor(y * step);
    const down = y * step - row;
    for (let x = 0; x < SIDE; x += 1) {
      const column = Math.floor(x * step);
      const right = x * step - column;
      const top = at(column, row) * (1 - right) + at(column + 1, row) * right;
      const bottom = at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right;
      tile[y * SIDE + x] = (tile[y * SIDE + x] ?? 0) + top * (1 - down) + bottom * down;
    }
  }
}

/** Makes sensor noise: nearly a normal distribution with mean 0 and deviation 1. */
const makeGrain = (random: Random) =>
  Float32Array.from({ length: SIDE * SIDE }, () => (random() + random() + random() + random() - 2) * 1.73);

type Colour = [red: number, green: number, blue: number];
type Thing = { x: number; y: number; wide: number; high: number; round: boolean; colour: Colour; rough: number };

const colour = (random: Random): Colour => [60 + random() * 140, 60 + random() * 140, 60 + random() * 140];

function makeThing(random: Random, width: number, height: number): Thing {
  return {
    x: random() * width,
    y: height * (0.3 + random() * 0.7),
    wide: width * (0.02 + random() * 0.12),
    high: height * (0.02 + random() * 0.16),
    round: random() < 0.5,
    colour: colour(random),
    rough: random() * 80,
  };
}

function covers({ x, y, wide, high, round }: Thing, column: number, row: number): boolean {
  const right = (column - x) / wide;
  const down = (row - y) / high;
  return round ? right * right + down * down < 1 : Math.abs(right) < 1 && Math.abs(down) < 1;
}

/** Draws the scene of a seed: a soft sky, a ridge, rough ground, and objects of many kinds. */
export function drawScene(seed: number, width: number, height: number): Scene {
  const random = seeded(seed);
  const texture = makeTexture(random);
  const grain = makeGrain(random);
  const [sky, ground] = [colour(random), colour(random)];
  const things = Array.from({ length: 24 }, () => makeThing(random, width, height));
  const horizon = height * (0.2 + random() * 0.3);
  const [roughness, noise] = [60 + random() * 30, 7 + random() * 5];
  const data = new Uint8ClampedArray(width * height * 3);
  const near = new Int32Array(things.length);
  for (let row = 0; row < height; row += 1) {
    // Only the objects in this row are checked for each pixel.
    let count = 0;
    for (const [index, { y, high }] of things.entries()) if (Math.abs(row - y) < high) near[count++] = index;
    const fade = row / height;
    const textureRow = (row & MASK) * SIDE;
    const grainRow = ((row * 7 + (row >> 10) * 331) & MASK) * SIDE;
    for (let column = 0; column < width; column += 1) {
      const ridge = horizon + (texture[(column >> 2) & MASK] ?? 0) * 260;
      const detail = texture[textureRow + (column & MASK)] ?? 0;
      const [red, green, blue] = row < ridge ? sky : ground;
      let base: Colour = [red, green, blue];
      let rough = row < ridge ? 6 : roughness * (0.6 + fade);
      for (let each = 0; each < count; each += 1) {
        const thing = things[near[each] ?? 0];
        if (thing !== undefined && covers(thing, column, row)) {
          base = thing.colour;
          rough = thing.rough;
        }
      }
      const spot = grainRow + ((column + (row >> 3)) & MASK);
      const light = detail * rough + fade * 40 - 20 + (grain[spot] ?? 0) * noise;
      const place = (row * width + column) * 3;
      data[place] = base[0] + light;
      data[place + 1] = base[1] + light * 0.94 + (grain[spot ^ 5] ?? 0) * 2;
      data[place + 2] = base[2] + light * 0.85 + (grain[spot ^ 9] ?? 0) * 2;
    }
  }
  return { data, width, height };
}
