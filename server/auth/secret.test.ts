import t, { type Test } from 'tap';
import { parseDatabaseUrl } from '../database/address.ts';
import { connect } from '../database/connect.ts';
import { joinProcesses } from '../database/process-registry.ts';
import { eventually } from '../testing/eventually.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { compareSecrets } from './secret.ts';

/** A server that signs with this secret. @returns its log lines about other servers */
async function enter(t: Test, url: string, secret: string) {
  const { sql, close } = connect(url, { max: 2 });
  const processRegistry = await joinProcesses(parseDatabaseUrl(url), { sql, log: { info: () => {}, error: () => {} } });
  const logged: string[] = [];
  const compare = () => compareSecrets(secret, processRegistry, { error: (line) => logged.push(line) });
  await compare();
  const leave = async () => {
    await processRegistry.close();
    await close();
  };
  t.teardown(leave);
  return { logged, compare, leave };
}

t.test("a server whose secret differs from a running server's logs one line", async (t) => {
  const { url } = await createCabledDatabase(t);
  const one = await enter(t, url, 'a'.repeat(32));
  const alike = await enter(t, url, 'a'.repeat(32));
  t.same([one.logged, alike.logged], [[], []]);
  const other = await enter(t, url, 'b'.repeat(32));
  t.equal(other.logged.length, 1);
  t.match(other.logged[0], /^[^\n]*another JWT_SECRET[^\n]*$/);
});

t.test('a secret can be changed while no other server runs', async (t) => {
  const { url } = await createCabledDatabase(t);
  await (await enter(t, url, 'a'.repeat(32))).leave();
  t.same((await enter(t, url, 'b'.repeat(32))).logged, []);
});

t.test('a differing secret is detected again after the connection was lost', async (t) => {
  const cable = await createCabledDatabase(t);
  await enter(t, cable.url, 'a'.repeat(32));
  await cable.pull();
  await cable.plugIn();
  const other = await enter(t, cable.direct, 'b'.repeat(32));
  await eventually('a message about the other secret', async () => {
    await other.compare();
    return other.logged.length > 0;
  });
  t.match(other.logged[0], /JWT_SECRET/);
});
