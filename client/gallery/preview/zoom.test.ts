import t from 'tap';
import { canZoom, pointIn } from './zoom.ts';

const photograph = { location: 'none', content_type: 'image/jpeg', width: 4000, height: 3000 } as const;
const desktop = { innerWidth: 1440, innerHeight: 900, devicePixelRatio: 1 };
const phone = { innerWidth: 390, innerHeight: 844, devicePixelRatio: 3 };

t.test('what the window shows smaller than it is can be zoomed', async (t) => {
  for (const view of [desktop, phone]) {
    t.ok(canZoom(photograph, view));
    t.ok(canZoom({ ...photograph, width: 900, height: 3000 }, view), 'a column');
    t.notOk(canZoom({ ...photograph, width: 300, height: 200 }, view), 'it is shown whole');
  }
  t.notOk(canZoom({ ...photograph, width: 1000, height: 700 }, phone), 'its pixels are finer than they look');
});

t.test('an original that the link withholds, or that no browser draws, cannot', async (t) => {
  t.notOk(canZoom({ ...photograph, location: 'withheld' }, desktop));
  t.ok(canZoom({ ...photograph, location: 'removed' }, desktop));
  for (const content_type of ['image/heic', 'image/tiff']) t.notOk(canZoom({ ...photograph, content_type }, desktop));
});

t.test('a click says where in the picture it was', async (t) => {
  t.same(pointIn({ left: 100, top: 50, width: 400, height: 200 }, { clientX: 200, clientY: 200 }), {
    x: 0.25,
    y: 0.75,
  });
});
