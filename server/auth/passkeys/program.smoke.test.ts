import t from 'tap';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { temporaryFolder } from '../../testing/postgres/embedded.ts';
import { startServer } from '../../testing/processes.ts';

t.test('the program that ships makes requests for passkeys and for authenticator apps', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: url, PUBLIC_URL: 'https://img.example.com' };
  const { origin } = await startServer(t, env);
  const send = async (path: string, body?: object, token?: string) => {
    const headers = {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const answer = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  t.match(await send('auth/passkey/options'), { options: { rpId: 'img.example.com', challenge: /^[\w-]{43}$/ } });
  const account = { username: 'noor', email: 'noor@example.com', password: 'rather-a-good-one' };
  await send('auth/register', account);
  const token = String((await send('auth/login', account)).access_token);
  const { proof } = await send('account/proof', { password: account.password }, token);
  t.match(await send('account/passkeys/options', { proof }, token), { options: { rp: { id: 'img.example.com' } } });
  t.match(await send('account/factors/totp', { proof }, token), { uri: /^otpauth:\/\/totp\/img\.example\.com:/ });
});
