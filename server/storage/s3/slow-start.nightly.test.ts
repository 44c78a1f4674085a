import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { testConfig } from '../../testing/app.ts';
import { openBucket } from './backend.ts';
import { defaultTimeouts } from './calls/client.ts';

t.test('a start on an unresponsive S3 server reports the timeout and what to check', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const sockets = new Set<{ destroy(): void }>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const config = await testConfig(t, {
    storage: 's3',
    s3Endpoint: endpoint,
    s3Bucket: 'pictures',
    s3AccessKeyId: 'key',
    s3SecretAccessKey: 'secret',
  });
  await t.rejects(openBucket(config, { ...defaultTimeouts, answer: 50 }), {
    code: 'CONFIG',
    message: `S3_ENDPOINT (or S3_FORCE_PATH_STYLE): HeadBucket in s3://pictures/ at ${endpoint} failed (ETIMEDOUT: no answer within 0.05 s). Check that the S3 server is up and that this machine reaches it (address, port, firewall, proxy), then start again.`,
  });
});
