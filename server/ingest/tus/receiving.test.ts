import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { BrokenUpload } from '../../errors.ts';
import { createDiskPartials } from '../../storage/disk/partials.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { createReceiving } from './receiving.ts';

const part = 5 * 2 ** 20;

async function receiving(t: Test, failures: Error[]) {
  const partials = createDiskPartials(await temporaryFolder(t), async () => {});
  const upload = { id: randomUUID(), received: 0, pieces: [] as string[], size: 2 * part } as UploadRow;
  const counted: number[] = [];
  const db = {
    update: () => ({
      set: ({ received, pieces }: Pick<UploadRow, 'received' | 'pieces'>) => ({
        where: () => ({
          async returning() {
            const failure = failures.shift();
            if (failure) throw failure;
            counted.push(received);
            return [{ ...upload, received, pieces }];
          },
        }),
      }),
    }),
  } as unknown as Database;
  const receive = createReceiving({ db, partials });
  const source = new PassThrough();
  const result = receive(upload, source as unknown as IncomingMessage, new AbortController().signal);
  return { source, result, counted };
}

t.test('a database failure during a part is not reported as a lost connection', async (t) => {
  const failure = new Error('the session was cut');
  const { source, result } = await receiving(t, [failure]);
  source.end(Buffer.alloc(part));
  await t.rejects(result, failure);
});

t.test('the bytes received before a lost connection are counted', async (t) => {
  const { source, result, counted } = await receiving(t, []);
  // Larger than the stream's buffer, so 'drain' means that it was read.
  source.write(Buffer.alloc(100_000));
  await once(source, 'drain');
  source.destroy(new Error('aborted'));
  await t.rejects(result, new BrokenUpload('the connection was lost'));
  t.same(counted, [100_000]);
});
