import t from 'tap';
import { createLinkCache } from './link-cache.ts';

const [one, other] = ['a'.repeat(22), 'b'.repeat(22)];
const entry = (value: object, size = 10) => Promise.resolve({ value, size });

t.test('an entry is cached until its image is forgotten, together with its renditions', async (t) => {
  const cache = createLinkCache({ size: 1_000, isLive: () => true });
  for (const name of [one, `${one}/thumbnail.webp`, other]) await cache.fill(name, () => entry({ name }));
  t.same(cache.get(`${one}/thumbnail.webp`), { name: `${one}/thumbnail.webp` });
  cache.forget(one);
  t.equal(cache.get(one), undefined);
  t.equal(cache.get(`${one}/thumbnail.webp`), undefined);
  t.same(cache.get(other), { name: other });
  cache.forgetAll();
  t.equal(cache.get(other), undefined);
});

for (const [word, forget] of [
  ['its image', 'forget'],
  ['everything', 'forgetAll'],
] as const) {
  t.test(`a lookup during which ${word} is forgotten is answered and not cached`, async (t) => {
    const cache = createLinkCache({ size: 1_000, isLive: () => true });
    const value = {};
    const filling = cache.fill(`${one}/thumbnail.webp`, async () => {
      cache[forget](one);
      return { value, size: 10 };
    });
    t.equal(await filling, value);
    t.equal(cache.get(`${one}/thumbnail.webp`), undefined);
    await cache.fill(`${one}/thumbnail.webp`, () => entry(value));
    t.equal(cache.get(`${one}/thumbnail.webp`), value, 'a later lookup is cached');
  });
}

t.test('the cache is bounded in bytes, evicts the least recently used entry and refuses large ones', async (t) => {
  const cache = createLinkCache({ size: 1_000, isLive: () => true });
  const names = Array.from({ length: 12 }, (_, index) => `${String.fromCharCode(97 + index).repeat(22)}`);
  for (const name of names) {
    await cache.fill(name, () => entry({ name }, 100));
    cache.get(names[0] ?? '');
  }
  t.equal(names.filter((name) => cache.get(name)).length, 10);
  t.ok(cache.get(names[0] ?? ''));
  t.notOk(cache.get(names[1] ?? ''));
  await cache.fill(one, () => entry({}, 126));
  t.equal(cache.get(one), undefined);
  const none = createLinkCache({ size: 0, isLive: () => true });
  await none.fill(one, () => entry({}, 10));
  t.equal(none.get(one), undefined);
});

t.test('the cache answers nothing while notifications may be missed', async (t) => {
  let isLive = false;
  const cache = createLinkCache({ size: 1_000, isLive: () => isLive });
  await cache.fill(one, () => entry({}));
  isLive = true;
  t.equal(cache.get(one), undefined, 'a lookup meanwhile is not cached');
  await cache.fill(one, () => entry({}));
  isLive = false;
  t.equal(cache.get(one), undefined);
  isLive = true;
  t.same(cache.get(one), {});
});

t.test('concurrent lookups share one result, and lookups after a forget start again', async (t) => {
  for (const forget of ['forget', 'forgetAll'] as const) {
    const cache = createLinkCache<object>({ size: 1_000, isLive: () => true });
    let lookups = 0;
    const look = () =>
      cache.fill(one, async () => {
        lookups += 1;
        return { value: { lookups } };
      });
    const together = [look(), look()];
    cache[forget](one);
    together.push(look(), look());
    t.same(
      await Promise.all(together),
      [1, 1, 2, 2].map((lookups) => ({ lookups })),
    );
    t.same(await look(), { lookups: 3 }, 'an uncached result is looked up again');
  }
});

t.test('lookups are not shared or cached with size 0 or while notifications may be missed', async (t) => {
  for (const parts of [
    { size: 0, isLive: () => true },
    { size: 1_000, isLive: () => false },
  ]) {
    const cache = createLinkCache<object>(parts);
    t.equal(cache.canKeep(1), false);
    const [first, second] = await Promise.all([cache.fill(one, () => entry({})), cache.fill(one, () => entry({}))]);
    t.not(first, second);
  }
  const cache = createLinkCache({ size: 1_000, isLive: () => true });
  t.same([cache.canKeep(125), cache.canKeep(126)], [true, false]);
});

t.test('a lookup that fails or finds nothing is not cached', async (t) => {
  const cache = createLinkCache({ size: 1_000, isLive: () => true });
  await t.rejects(
    cache.fill(one, () => Promise.reject(new Error('no database'))),
    { message: 'no database' },
  );
  t.equal(await cache.fill(one, async () => undefined), undefined);
  t.equal(cache.get(one), undefined);
});
