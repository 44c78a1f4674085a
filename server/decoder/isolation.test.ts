import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isolationFor, namedIsolation, whyNot } from './isolation.ts';
import { CannotDecode, chooseIsolation, type Isolation, isolationIn, withoutCage } from './pool/choose-isolation.ts';

const linux = process.platform === 'linux';
const open: Isolation = { ...withoutCage, refused: { namespaces: 'unshare: not permitted', filter: 'no Landlock' } };
const caged: Isolation = {
  launch: { level: 'filter', options: [] },
  refused: { namespaces: 'unshare: not permitted' },
};
const settings = { folder: tmpdir(), decoderIsolation: 'required' } as const;

t.test('required isolation that the machine does not allow is refused in one line', async (t) => {
  const refusal = {
    code: 'CONFIG',
    message: /^DECODER_ISOLATION .*namespaces: unshare: not permitted; filter: no Landlock[^\n]*$/,
  };
  await t.rejects(isolationFor(settings, async () => open)(), refusal);
  t.equal(await isolationFor(settings, async () => caged)(), caged);
  t.equal(await isolationFor({ ...settings, decoderIsolation: 'auto' }, async () => open)(), open);
});

t.test('a level that cannot start is skipped, and the reason is kept', { skip: !linux }, async (t) => {
  const isolation = await chooseIsolation(tmpdir(), [
    { level: 'namespaces', as: ['/nowhere/at/all'], options: [] },
    { level: 'filter', options: ['--landlock=required', '--unheard'], as: ['false'] },
  ]);
  t.equal(isolation.launch.level, 'process');
  t.match(whyNot(isolation), /namespaces: .*ENOENT.*; filter: /);
});

t.test(
  'a level that its launcher refuses is missing for certain, with the launcher’s reason',
  { skip: !linux },
  async (t) => {
    const refuses = ['sh', '-c', 'echo "unshare: Operation not permitted" >&2; exit 125'];
    const isolation = await chooseIsolation(tmpdir(), [{ level: 'namespaces', as: refuses, options: [] }]);
    t.match(isolation, {
      launch: { level: 'process' },
      refused: { namespaces: 'unshare: Operation not permitted' },
      unsure: false,
    });
  },
);

t.test('a level whose decoder reaches forbidden things is not used', { skip: !linux }, async (t) => {
  const isolation = await chooseIsolation(tmpdir(), [{ level: 'filter' }]);
  t.equal(isolation.launch.level, 'process');
  t.match(whyNot(isolation), /it can read DATA_DIR, it can read the server's environment, .*processes, .*network/);
});

function temporary(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'isolation-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A cage for any machine with Perl: trials find it open, but they run. */
const startedBy = (script: string) =>
  ({ level: 'filter', as: ['sh', '-c', `${script}; exec "$@"`, 'sh'], options: ['--landlock=none'] }) as const;

t.test('a killed trial is repeated', { skip: !linux }, async (t) => {
  const folder = temporary(t);
  const [expected, found] = await Promise.all([
    chooseIsolation(folder, [startedBy('true')]),
    chooseIsolation(folder, [startedBy(`mkdir ${folder}/killed 2>/dev/null && kill -9 $$`)]),
  ]);
  t.strictSame(readdirSync(folder), ['killed'], 'trials leave no files');
  t.equal(found.launch.level, expected.launch.level);
  t.strictSame(found.refused, expected.refused);
});

t.test('without its folder no decoder is tried, and the choice is repeated', { skip: !linux }, async (t) => {
  const folder = join(temporary(t), 'missing', 'staging');
  const isolation = isolationIn(folder, [startedBy('true')]);
  await t.rejects(isolation(), { constructor: CannotDecode, ofStorage: true, message: /ENOENT/ });
  mkdirSync(folder, { recursive: true });
  const second = await isolation();
  t.notMatch(String(second.refused.filter), /ENOENT/);
  t.equal(await isolation(), second, 'the choice is then kept');
});

t.test('a trial that hangs is stopped', { skip: !linux }, async (t) => {
  const hangs = startedBy('exec sleep 1000');
  const times = [100, 100, 100];
  const isolation = await chooseIsolation(temporary(t), [hangs], () => AbortSignal.timeout(times.shift() ?? 60_000));
  t.match(isolation, { launch: { level: 'process' }, refused: { filter: 'the trial took too long' }, unsure: true });
});

t.test('each new level is logged and reported once', async (t) => {
  const logged: unknown[][] = [];
  const log = {
    info: (...args: unknown[]) => void logged.push(['info', ...args]),
    warn: (...args: unknown[]) => void logged.push(['warn', ...args]),
  };
  const levels: string[] = [];
  const choices = [caged, caged, open];
  const isolation = namedIsolation(
    log,
    async () => choices.shift() ?? open,
    (level) => levels.push(level),
  );
  for (let times = 0; times < 4; times += 1) await isolation();
  t.match(logged, [
    ['info', { isolation: 'filter' }, String],
    ['warn', { isolation: 'process', missing: /no Landlock/ }, String],
  ]);
  t.same(levels, ['filter', 'process']);
});
