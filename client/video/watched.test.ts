import t from 'tap';
import { linksFrom, mostWatched, nextLink, restored, withLink } from './watched.ts';

/** Two links of one video: `a?x` and `a?y` both play `a`. */
const sourceOf = (link: string) => link.split('?')[0] ?? null;

t.test('the newest link comes first, of at most ten', async (t) => {
  let links: readonly string[] = [];
  for (let number = 1; number <= 12; number++) links = withLink(links, `v${number}`, sourceOf);
  t.equal(links.length, mostWatched);
  t.equal(links[0], 'v12');
  t.equal(links.at(-1), 'v3');
});

t.test('a video watched again moves to the front, by any of its links', async (t) => {
  t.same(withLink(['b', 'a?x', 'c'], 'a?y', sourceOf), ['a?y', 'b', 'c']);
});

t.test('a link extended by typing is replaced', async (t) => {
  t.same(withLink(['abc', 'b'], 'abcd', sourceOf, 'abc'), ['abcd', 'b']);
  t.same(withLink(['abc', 'b'], 'abcd', sourceOf), ['abcd', 'abc', 'b'], 'only the extended link is replaced');
});

t.test('the stored value is parsed as links, or ignored', async (t) => {
  const rows: [unknown, string[]][] = [
    [undefined, []],
    ['a', []],
    [{ length: 1, 0: 'a' }, []],
    [
      ['a', 1, null, '', 'b'],
      ['a', 'b'],
    ],
  ];
  for (const [value, links] of rows) t.same(linksFrom(value), links, JSON.stringify(value));
  t.equal(linksFrom(Array.from({ length: 50 }, (_, index) => `v${index}`)).length, mostWatched);
});

t.test('removed links return to their position, after newer ones', async (t) => {
  t.same(restored(['c'], ['a', 'b', 'c']), ['a', 'b', 'c']);
  t.same(restored([], ['a', 'b']), ['a', 'b']);
  t.same(restored(['new'], ['a', 'b']), ['new', 'a', 'b']);
});

t.test('the link after a removed one gets the focus', async (t) => {
  t.equal(nextLink(['a', 'b', 'c'], 'a'), 'b');
  t.equal(nextLink(['a', 'b', 'c'], 'c'), 'b');
  t.equal(nextLink(['a'], 'a'), undefined);
});
