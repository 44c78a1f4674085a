import t from 'tap';
import { buildTestApp, listen } from '../testing/app.ts';
import { openSocket } from '../testing/socket.ts';

const head =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

t.test('a body that falls silent is cut', async (t) => {
  const app = await buildTestApp(t, { options: { pace: { idle: 60, grace: 1e6, rate: 1, interval: 10 } } });
  const { send, received } = await openSocket(await listen(app));
  await send(head);
  t.notMatch(await received, /200/, 'the server closed the connection by itself');
});

t.test('a body that drips below the rate is cut', async (t) => {
  const app = await buildTestApp(t, { options: { pace: { idle: 1e6, grace: 60, rate: 1e6, interval: 10 } } });
  const { send, received } = await openSocket(await listen(app));
  await send(head);
  const drip = setInterval(() => send(' ').catch(() => clearInterval(drip)), 5);
  t.teardown(() => clearInterval(drip));
  await received;
  t.pass('the server closed the connection by itself');
});
