/**
 * A process that owns an embedded database, for tests that kill it:
 * `node embedded-owner.js <folder>` prints one line of JSON, `{url}` or `{refused}`, and stops on SIGTERM.
 */
import { databaseUrl } from '../../database/address.ts';
import { startEmbeddedPostgres } from '../../database/embedded/embedded.ts';
import { messageOf } from '../../database/start-error.ts';

const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const log = { info: () => {}, error: (_details: object, message: string) => process.stderr.write(`${message}\n`) };

try {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log });
  // Keeps the process alive; the lock and the server do not.
  const living = setInterval(() => {}, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(living);
    stop().then(() => say({ stopped: true }));
  });
  say({ url: databaseUrl(connection) });
} catch (error) {
  say({ refused: messageOf(error) });
}
