import t from 'tap';
import type { Image } from '../../../server/contract.ts';
import {
  chosen,
  extended,
  nothing,
  type Selection,
  swept,
  toggled,
  withAll,
  without,
  withProblems,
} from './selection.ts';

const named = (id: string): Image => ({ id, filename: `${id}.png` }) as Image;
const page = ['a', 'b', 'c', 'd', 'e'].map(named);
const [a, b, c, d, e] = page as [Image, Image, Image, Image, Image];
const idsOf = ({ images }: Selection) => [...images.keys()].join('');

t.test('a pick selects an image, a second one deselects it, and the mode stays on', async (t) => {
  const one = toggled(nothing, b);
  t.match(one, { on: true });
  t.equal(idsOf(one), 'b');
  t.equal(idsOf(toggled(one, b)), '');
  t.equal(toggled(one, b).on, true);
});

t.test('a range runs from the last picked image to this one, in either direction', async (t) => {
  t.equal(idsOf(extended(toggled(nothing, b), d, page)), 'bcd');
  t.equal(idsOf(extended(toggled(nothing, d), b, page)), 'dbc');
  const grown = extended(extended(toggled(nothing, b), c, page), e, page);
  t.equal(idsOf(grown), 'bcde', 'both ranges begin with the picked image');
});

t.test('a range from another page selects only this image, and starts the next range', async (t) => {
  const far = toggled(nothing, named('z'));
  const one = extended(far, b, page);
  t.equal(idsOf(one), 'zb');
  t.equal(idsOf(extended(one, d, page)), 'zbcd');
});

t.test('selecting a whole page keeps the selection of other pages', async (t) => {
  t.equal(idsOf(withAll(toggled(nothing, named('z')), page)), 'zabcde');
});

t.test('a frame adds the images it touches, and deselects those it no longer touches', async (t) => {
  const before = toggled(nothing, a);
  t.equal(idsOf(swept(before, new Set(['b', 'c']), page)), 'abc');
  t.equal(idsOf(swept(before, new Set(['c']), page)), 'ac');
});

t.test('a problem is kept only for selected images, and goes with its image', async (t) => {
  const all = withProblems(
    withAll(nothing, [a, b]),
    new Map([
      ['a', 'no'],
      ['z', 'no'],
    ]),
  );
  t.same([...all.problems], [['a', 'no']]);
  t.same([...without(all, ['a']).problems], []);
  t.equal(idsOf(without(all, ['a'])), 'b');
});

t.test('a selected image that was renamed has its new name, on whatever page it is', async (t) => {
  const old = toggled(toggled(nothing, { ...a, filename: 'before.png' }), named('z'));
  t.same(
    chosen(old, new Map([[a.id, a]])).map(({ filename }) => filename),
    ['a.png', 'z.png'],
  );
});
