import t from 'tap';
import type { Share } from '../../../server/contract.ts';
import { choiceOf, missingIn, newChoice, optionsOf } from './share-choice.ts';

const now = new Date(2026, 10, 26, 12, 30).getTime();
const fresh = newChoice('Trip', now);
const share: Share = {
  ...{ id: 'a', name: 'Trip', url: 'https://host.test/s/a', album: null, count: 2, short_name: null, guessable: false },
  ...{ protected: false, originals: true, details: true, download: true, expires_at: null, expired: false, views: 0 },
  created_at: new Date(now).toISOString(),
};

t.test('a new share has no password, no end and no short name', async (t) => {
  t.same(optionsOf(fresh, undefined, now), {
    ...{ name: 'Trip', originals: true, details: true, download: true, short_name: null, guessable: false },
    expires_in: null,
  });
});

t.test('a share without details has no originals', async (t) => {
  t.match(optionsOf({ ...fresh, details: false }, undefined, now), { originals: false, details: false });
  t.match(optionsOf({ ...fresh, originals: false }, undefined, now), { originals: false, details: true });
});

t.test('an edited share keeps its password and its end unless they are changed', async (t) => {
  const before = { ...share, protected: true, expires_at: new Date(now - 86_400_000).toISOString() };
  const choice = choiceOf(before, now);
  t.equal(missingIn(choice, before, now), undefined);
  const kept = optionsOf(choice, before, now);
  t.notOk('password' in kept || 'expires_at' in kept || 'expires_in' in kept);
  t.equal(optionsOf({ ...choice, removesPassword: true }, before, now).password, null);
  t.equal(optionsOf({ ...choice, removesPassword: true, password: 'new one' }, before, now).password, 'new one');
  t.equal(optionsOf({ ...choice, end: { choice: '7d', date: '' } }, before, now).expires_in, '7d');
});

t.test('a short name needs a password or consent, which is sent only where it is needed', async (t) => {
  const named = { ...fresh, shortName: ' trip ' };
  t.equal(missingIn(named, undefined, now), 'consent');
  t.equal(missingIn({ ...named, guessable: true }, undefined, now), undefined);
  t.match(optionsOf({ ...named, guessable: true }, undefined, now), { short_name: 'trip', guessable: true });
  const locked = { ...named, guessable: true, password: 'long enough' };
  t.match(optionsOf(locked, undefined, now), { short_name: 'trip', guessable: false, password: 'long enough' });
  const before = { ...share, protected: true, short_name: 'trip' };
  t.equal(missingIn(choiceOf(before, now), before, now), undefined);
  t.equal(missingIn({ ...choiceOf(before, now), removesPassword: true }, before, now), 'consent');
});

t.test('a short name of the length of a key and an end that has passed are not sent', async (t) => {
  t.equal(missingIn({ ...fresh, shortName: 'x'.repeat(22) }, undefined, now), 'length');
  t.equal(missingIn({ ...fresh, end: { choice: 'date', date: '2026-11-26T12:00' } }, undefined, now), 'end');
});
