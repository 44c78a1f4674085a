import t from 'tap';
import type { CollectLink } from '../../server/contract.ts';
import { choiceOf, newChoice, optionsOf } from './collect-choice.ts';

const now = new Date(2026, 10, 26, 12, 30).getTime();
const link: CollectLink = {
  ...{ id: 'a', name: 'Party', url: 'https://host.test/c/a', album: 'b', open: true, asks_name: true },
  ...{ look_first: false, protected: true, max_files: 20, max_bytes: 1_500_000_000, files: 3, bytes: 10, waiting: 0 },
  ...{ expires_at: new Date(now - 1000).toISOString(), expired: true, created_at: new Date(now).toISOString() },
};

t.test('a new link ends in a month, and its images wait for the owner', async (t) => {
  t.same(optionsOf(newChoice('Party', now), undefined, now), {
    ...{ name: 'Party', look_first: true, asks_name: false, open: false },
    ...{ max_files: 500, max_bytes: 10_000_000_000, expires_in: '30d' },
  });
});

t.test('an edited link keeps its password and its end unless they are changed', async (t) => {
  const choice = choiceOf(link, now);
  t.same(optionsOf(choice, link, now), {
    ...{ name: 'Party', look_first: false, asks_name: true, open: true },
    ...{ max_files: 20, max_bytes: 1_500_000_000 },
  });
  t.equal(optionsOf({ ...choice, removesPassword: true }, link, now).password, null);
  t.equal(optionsOf({ ...choice, maxGigabytes: '0.25' }, link, now).max_bytes, 250_000_000);
});
