/** Ends of API tokens on several whole servers. */
import t from 'tap';
import { register, start } from '../../testing/collections/members.ts';
import { create, post } from '../../testing/collections/token-calls.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../testing/processes.ts';

t.setTimeout(200_000);

type Account = Awaited<ReturnType<typeof register>>;

const withDeleteLink = '/api/images/upload?delete_link=1';

t.test('an ended token answers 401 on the next call on each of three processes', async (t) => {
  const { env, server: first } = await start(t);
  const servers = [first, await startServer(t, env), await startServer(t, env)];

  /** Calls each process in every way that a token can upload or read. */
  async function statuses(secret: string): Promise<number[]> {
    const bearer = { authorization: `Bearer ${secret}` };
    const calls = servers.map(async (server) => [
      (await fetch(`${server.origin}/api/images`, { headers: bearer })).status,
      (await fetch(`${server.origin}/api/account/tokens/current`, { headers: bearer })).status,
      (await post(server, withDeleteLink, bearer, 'images')).status,
      (await post(server, '/api/upload', { authorization: secret }, 'file')).status,
      (await post(server, '/api/1/upload', { 'x-api-key': secret }, 'source')).status,
    ]);
    return (await Promise.all(calls)).flat();
  }
  const live = servers.flatMap(() => [200, 200, 201, 200, 200]);
  const dead = live.map(() => 401);
  const json = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });

  const ways: Record<
    string,
    (account: Account, token: { id: string; secret: string }, album: string) => Promise<unknown>
  > = {
    'by its owner': ({ bearer }, { id }) =>
      fetch(`${servers[1]?.origin}/api/account/tokens/${id}`, { method: 'DELETE', headers: bearer }),
    'by itself': (_account, { secret }) =>
      fetch(`${servers[2]?.origin}/api/account/tokens/current`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${secret}` },
      }),
    'with its album': ({ bearer }, _token, album) =>
      fetch(`${first.origin}/api/albums/${album}`, { method: 'DELETE', headers: bearer }),
    'at its time': (_account, { id }) =>
      query(env.DATABASE_URL, `update api_tokens set expires_at = now() where id = '${id}'`),
    'with a new password': ({ bearer }) =>
      fetch(`${servers[1]?.origin}/api/account/password`, {
        ...json({
          current_password: 'a long enough password',
          new_password: 'another long password',
        }),
        headers: { ...bearer, 'content-type': 'application/json' },
      }),
    'with its account': ({ username }) => admin(t, ['users', 'delete', username, '--yes'], env),
  };
  for (const [way, end] of Object.entries(ways)) {
    const account = await register(first);
    const made = await fetch(`${first.origin}/api/albums`, {
      ...json({ name: 'Trip' }),
      headers: { ...account.bearer, 'content-type': 'application/json' },
    });
    const album = ((await made.json()) as { album: { id: string } }).album.id;
    const token = await create(first, account, way === 'with its album' ? { album } : {});
    t.same(await statuses(token.secret), live, `${way}: live before`);
    await end(account, token, album);
    t.same(await statuses(token.secret), dead, way);
  }
  for (const server of servers) t.equal(await server.stop(), 0);
});
