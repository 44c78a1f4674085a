import t from 'tap';
import { canZoom, drawnWidth, mostZoom } from './zoom.ts';

const photograph = { location: 'none', content_type: 'image/jpeg', width: 4000, height: 3000 } as const;
const desktop = { innerWidth: 1440, innerHeight: 900, devicePixelRatio: 1 };
const phone = { innerWidth: 390, innerHeight: 844, devicePixelRatio: 3 };

t.test('a picture that the window shows reduced can be zoomed', async (t) => {
  for (const view of [desktop, phone]) {
    t.ok(canZoom(photograph, view));
    t.ok(canZoom({ ...photograph, width: 900, height: 3000 }, view), 'a column');
    t.notOk(canZoom({ ...photograph, width: 300, height: 200 }, view), 'shown at full size');
  }
  t.notOk(canZoom({ ...photograph, width: 1000, height: 700 }, phone), 'shown at full size on a dense screen');
});

t.test('a withheld original, or one that browsers cannot draw, cannot be zoomed', async (t) => {
  t.notOk(canZoom({ ...photograph, location: 'withheld' }, desktop));
  t.ok(canZoom({ ...photograph, location: 'removed' }, desktop));
  for (const content_type of ['image/heic', 'image/tiff']) t.notOk(canZoom({ ...photograph, content_type }, desktop));
});

t.test('a small drawing is enlarged', async (t) => {
  const stage = { width: 1092, height: 754 };
  const drawing = { width: 24, height: 12, content_type: 'image/svg+xml' };
  t.equal(drawnWidth(drawing, stage), 480);
  t.equal(drawnWidth(drawing, { width: 390, height: 700 }), 390, 'as far as there is room');
  t.equal(drawnWidth({ ...drawing, content_type: 'image/png' }, stage), 24);
});

t.test('a picture is drawn whole, never enlarged, with room for the arrows', async (t) => {
  const stage = { width: 1092, height: 754 };
  t.equal(drawnWidth({ width: 4000, height: 3000 }, stage), 924);
  t.equal(drawnWidth({ width: 300, height: 200 }, stage), 300);
  t.equal(Math.round(drawnWidth({ width: 1000, height: 4000 }, stage)), 184);
  t.equal(drawnWidth({ width: 4000, height: 3000 }, { width: 390, height: 700 }), 390, 'edge to edge on a phone');
  t.equal(drawnWidth({ width: 0, height: 0 }, stage), 0);
});

t.test('zoom ends at one image pixel per screen pixel, or at three times on touch', async (t) => {
  t.equal(mostZoom(photograph, 1000, desktop, false), 4);
  t.equal(mostZoom(photograph, 390, phone, true), 3.4188);
  t.equal(mostZoom({ ...photograph, width: 1500, height: 1125 }, 390, phone, true), 3);
  t.equal(mostZoom({ ...photograph, width: 300, height: 200 }, 300, desktop, false), 1, 'shown at full size');
  t.equal(mostZoom({ ...photograph, location: 'withheld' }, 800, desktop, false), 2, 'up to its screen rendition');
});
