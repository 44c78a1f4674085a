import t from 'tap';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Partials } from '../../storage/partials.ts';
import { createSweep } from './sweep.ts';

const rows = ['a', 'b', 'c'].map((id) => ({ id }) as UploadRow);

function sweeping({ decide = async (_: UploadRow): Promise<void> => undefined } = {}) {
  const removed: string[] = [];
  const partials = {
    ids: async () => new Set(['lost', 'stuck', 'old']),
    async remove(id: string) {
      if (id === 'stuck') throw new Error('the disk does not let go of it');
      removed.push(id);
    },
  } as Partial<Partials> as Partials;
  const sweep = createSweep({
    partials,
    deleteExpired: async () => {},
    undecidedOf: async () => new Set(),
    leftWhole: async () => rows,
    decide,
  });
  return { sweep, removed };
}

t.test('a sweep continues after failures and throws the first one at the end', async (t) => {
  const decided: string[] = [];
  const { sweep, removed } = sweeping({
    async decide({ id }) {
      if (id === 'a') throw new Error('it cannot be read');
      decided.push(id);
    },
  });
  await t.rejects(sweep(new AbortController().signal), { message: 'the disk does not let go of it' });
  t.same(removed, ['lost', 'old']);
  t.same(decided, ['b', 'c']);
});

t.test('a sweep decides no further upload once the server stops', async (t) => {
  const gracefulShutdown = new AbortController();
  const decided: string[] = [];
  const { sweep } = sweeping({
    async decide({ id }) {
      decided.push(id);
      gracefulShutdown.abort();
    },
  });
  await t.rejects(sweep(gracefulShutdown.signal));
  t.same(decided, ['a']);
});
