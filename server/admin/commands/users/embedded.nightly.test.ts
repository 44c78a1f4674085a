import t from 'tap';
import {
  alive,
  create,
  dead,
  type Environment,
  list,
  logIn,
  newAccount,
} from '../../../testing/collections/by-command.ts';
import { temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('accounts are created in the embedded database with and without a running server', async (t) => {
  const env: Environment = { DATA_DIR: temporaryFolder(t), REGISTRATION: 'closed' };
  const [amira, noor] = [newAccount(), newAccount()];
  t.equal((await admin(t, ['migrate'], env)).code, 0);
  t.equal((await create(t, env, amira)).code, 0);
  const server = await startServer(t, env);
  t.equal((await create(t, env, noor)).code, 0);
  const [session, other] = [await logIn(server, amira), await logIn(server, noor)];
  t.equal((await admin(t, ['users', 'disable', amira.username], env)).code, 0);
  t.same(await session.alive(), dead);
  t.same(await other.alive(), alive);
  t.equal(await server.stop(), 0);
  const rows = await list(t, env);
  t.match(rows, [
    { username: amira.username, disabled_at: /Z$/ },
    { username: noor.username, disabled_at: null },
  ]);
});
