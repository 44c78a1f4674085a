import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { damaged } from './core/failure.ts';
import { createDecoderHealth } from './health.ts';
import type { Outcome } from './protocol/messages.ts';

const decoded = { ok: true } as Outcome;

t.test('decoders that broke are tried until a picture is decoded, and the log says both', async (t) => {
  const logged: string[] = [];
  const log = {
    info: (line: string) => void logged.push(line),
    error: (_details: object, line: string) => void logged.push(line),
  };
  let trials = 0;
  const health = createDecoderHealth(
    log as never,
    async () => {
      trials += 1;
      if (trials === 1) throw new Error('the disk is full');
      if (trials === 2) return { ok: false, failure: damaged().failure };
      health.listener.onEnded?.(true, decoded);
      return decoded;
    },
    { working: 2 ** 30, broken: 1 },
  );
  t.teardown(health.close);
  t.equal(health.isWorking(), false, 'nothing is known yet');
  health.worked();
  t.equal(health.isWorking(), true);

  health.listener.onUnavailable?.(new Error('spawn node ENOENT'));
  t.equal(health.isWorking(), false);
  await eventually('it works', () => health.isWorking());
  t.equal(trials, 3);
  t.match(logged, [/cannot be decoded/, /can be decoded again/]);
});

t.test('decoders that nobody used for a while are tried', async (t) => {
  const log = { info: () => undefined, error: () => undefined };
  const health = createDecoderHealth(log as never, async () => ({ ok: false, failure: damaged().failure }), {
    working: 1,
    broken: 2 ** 30,
  });
  t.teardown(health.close);
  health.worked();
  await eventually('they are found broken', () => !health.isWorking());
});
