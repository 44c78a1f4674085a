/** A program whose decoders do not start, as after an update of Node or a damaged installation. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { AdminOverview, UploadAnswer } from '../contract.ts';
import { newAccount, post } from '../testing/collections/by-command.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { admin, programFolder, startProcess, startServer } from '../testing/processes.ts';

t.setTimeout(280_000);

const root = dirname(dirname(programFolder));

/** A copy of the program, in which decoders can be broken and repaired. */
function copyProgram(t: Test) {
  const copy = temporaryFolder(t);
  const program = join(copy, 'build', 'program');
  cpSync(programFolder, program, { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  for (const name of ['node_modules', 'migrations', 'build/client', 'build/cli']) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    symlinkSync(join(root, name), join(copy, name));
  }
  const worker = join(program, 'worker.js');
  return {
    program,
    break: () => writeFileSync(worker, "throw new Error('libvips.so is missing');"),
    remove: () => rmSync(worker),
    repair: () => cpSync(join(programFolder, 'worker.js'), worker),
  };
}

for (const [what, reason] of [
  ['break', /libvips\.so is missing/],
  ['remove', /ENOENT.*worker\.js/],
] as const) {
  t.test(`a server whose decoders do not start ends with one line that names the reason: ${what}`, async (t) => {
    const copy = copyProgram(t);
    copy[what]();
    const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url, PORT: '0' };
    const { ended, stdout, stderr } = startProcess(t, 'main', [], env, copy.program);
    t.equal(await ended, 1);
    t.match(stderr(), /^Pictures cannot be decoded here, .* npm ci[^\n]*\n$/);
    t.match(stderr(), reason);
    t.notMatch(stdout(), 'listening');
  });
}

t.test('decoders that break later are reported at /ready, to administrators and by the doctor', async (t) => {
  const copy = copyProgram(t);
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  const { origin, stop } = await startServer(t, env, copy.program);
  const ready = async () => (await (await fetch(`${origin}/api/health/ready`)).json()) as { status?: string };
  t.match(await ready(), { status: 'ok', version: /^\d/ });
  const account = newAccount();
  await post(`${origin}/api/auth/register`, account);
  await admin(t, ['users', 'promote', account.username], env);
  const login = (await (await post(`${origin}/api/auth/login`, account)).json()) as { access_token: string };
  const authorization = `Bearer ${login.access_token}`;
  const upload = async () => {
    const { headers, payload } = await form([{ name: 'a.png', bytes: await picture() }]);
    const sent = { method: 'POST', headers: { ...headers, authorization }, body: new Uint8Array(payload) };
    return fetch(`${origin}/api/images/upload`, sent);
  };
  const overview = async () =>
    (await (await fetch(`${origin}/api/admin/overview`, { headers: { authorization } })).json()) as AdminOverview;
  t.equal((await overview()).can_decode, true);

  copy.break();
  t.equal((await upload()).status, 503);
  t.match(await ready(), { statusCode: 503, code: 'DECODER_UNAVAILABLE' });
  t.equal((await overview()).can_decode, false);
  const doctor = startProcess(t, 'admin', ['doctor', '--quick'], env, copy.program);
  t.equal(await doctor.ended, 1);
  t.match(doctor.stdout(), /Pictures cannot be decoded here.*\n.*libvips\.so is missing/s);

  copy.repair();
  await eventually('a trial picture is decoded', async () => (await ready()).status === 'ok');
  t.equal(((await (await upload()).json()) as UploadAnswer).images.length, 1);
  t.equal(await stop(), 0);
});
