import t from 'tap';
import { cardSources, drawnWidth, isTiny, type Renditions } from './sources.ts';

const of = (width: number, height: number, more: Partial<Renditions> = {}): Renditions => ({
  url: '/o.jpg',
  width,
  height,
  thumbnail_url: '/t.webp',
  thumbnail_avif_url: null,
  screen_url: '/s.webp',
  screen_avif_url: null,
  ...more,
});

const ratios: [number, number][] = [
  [4000, 3000],
  [3000, 4000],
  [1600, 900],
  [9000, 1000],
  [1000, 9000],
];

t.test('a phone loads only thumbnails at every density', async (t) => {
  for (const [width, height] of ratios.slice(0, 3)) {
    for (const density of [1, 2, 3]) {
      const { src, srcSet, avif } = cardSources(of(width, height), 390, density);
      t.same([src, srcSet, avif], ['/t.webp', undefined, undefined], `${width}x${height} at ${density}x`);
    }
  }
});

t.test('a common screen loads only thumbnails at densities 1 and 2', async (t) => {
  for (const [width, height] of ratios.slice(0, 3)) {
    for (const [window, density] of [
      [1440, 1],
      [1440, 2],
      [1920, 2],
      [2560, 1],
    ] as const) {
      t.equal(cardSources(of(width, height), window, density).srcSet, undefined, `${width}x${height} at ${window}`);
    }
  }
});

t.test('no offered rendition is more than a third larger than the picture is drawn', async (t) => {
  for (const [width, height] of ratios) {
    for (const window of [320, 390, 800, 1440, 2560, 3840]) {
      for (const density of [1, 1.5, 2, 3]) {
        const image = of(width, height);
        const widest = /(\d+)w$/.exec(cardSources(image, window, density).srcSet ?? '')?.[1];
        if (widest === undefined) continue;
        t.ok(
          Number(widest) * 0.75 <= drawnWidth(image, window) * density,
          `${width}x${height} at ${window}, ${density}x`,
        );
      }
    }
  }
});

t.test('a large and dense screen chooses by the true widths', async (t) => {
  const { src, srcSet, sizes } = cardSources(of(4000, 3000), 3840, 2);
  t.equal(src, '/t.webp');
  t.equal(srcSet, '/t.webp 480w, /s.webp 1600w');
  t.equal(sizes, '608px', '4:3 in a row of 380, stretched by a fifth');
  t.equal(cardSources(of(3000, 4000), 3840, 3).srcSet, '/t.webp 360w, /s.webp 1200w', 'limited by the longer side');
  t.equal(cardSources(of(1000, 9000), 390, 3).srcSet, '/t.webp 53w, /s.webp 178w', 'a narrow column on a dense phone');
});

t.test('an image no larger than its thumbnail has no other candidate', async (t) => {
  t.equal(cardSources(of(400, 300), 3840, 3).srcSet, undefined);
  t.equal(cardSources(of(600, 400, { screen_url: '/o.jpg' }), 3840, 3).srcSet, undefined, 'no card loads an original');
  t.equal(
    cardSources(of(4000, 3000, { screen_url: '/t.webp' }), 3840, 3).srcSet,
    undefined,
    'the screen rendition is withheld',
  );
});

t.test('AVIF comes first if every candidate has it', async (t) => {
  const avif = { thumbnail_avif_url: '/t.avif' };
  t.equal(cardSources(of(4000, 3000, avif), 390, 3).avif, '/t.avif');
  t.equal(cardSources(of(4000, 3000, avif), 3840, 2).avif, undefined, 'otherwise the larger one would never be chosen');
  const both = { ...avif, screen_avif_url: '/s.avif' };
  t.equal(cardSources(of(4000, 3000, both), 3840, 2).avif, '/t.avif 480w, /s.avif 1600w');
});

t.test('the drawn width includes what the frame cuts off', async (t) => {
  t.equal(drawnWidth(of(1000, 1000), 390), 173, 'a square on a phone');
  t.equal(drawnWidth(of(2000, 1000), 390), 346, 'twice as wide as its square');
  t.equal(drawnWidth(of(1000, 2000), 390), 173);
  t.equal(Math.round(drawnWidth(of(4400, 1000), 1440)), Math.round(4.4 * 236 * 1.2), 'a panorama in its clamped frame');
  t.equal(Math.round(drawnWidth(of(0, 0), 1440)), Math.round((4 / 3) * 236 * 1.2), 'of an unknown size');
});

t.test('a tiny picture keeps its size, and a small one fills its card', async (t) => {
  t.ok(isTiny(of(16, 16), 1440));
  t.ok(isTiny(of(120, 80), 1440));
  t.notOk(isTiny(of(240, 160), 1440));
  t.ok(isTiny(of(64, 64), 390), 'on a phone');
  t.notOk(isTiny(of(0, 0), 1440), 'a size that is not known');
  t.notOk(isTiny(of(4000, 3000), 3840));
  t.notOk(isTiny({ ...of(24, 24), content_type: 'image/svg+xml' }, 1440), 'a drawing is sharp at any size');
});
