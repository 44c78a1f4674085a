import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { testKeyring } from '../testing/keyring.ts';
import { newKey, runChecks } from '../testing/sample.ts';
import { storageChecks } from '../testing/storage-checks.ts';
import { createHeader } from './header.ts';
import { configuredKeys } from './keyring.ts';
import { sealWith } from './objects.ts';
import { streamKeyOf } from './open-sealed.ts';
import { sealBytes } from './stream.ts';

t.setTimeout(240_000);

const key = randomBytes(32);
const keyring = testKeyring(key);

runChecks('sealed disk', storageChecks, async (t) => diskSample(t, await temporaryFolder(t), sealWith(keyring)));

t.test('with previous keys only, new objects stay plain and sealed ones are readable', async (t) => {
  const folder = await temporaryFolder(t);
  const opening = configuredKeys({ encryptionKey: undefined, encryptionKeyPrevious: [key] });
  if (!opening) throw new Error('no ring');
  const { storage, bare, objects } = await diskSample(t, folder, sealWith(opening));
  const [kept, written, sealed] = [newKey(), newKey(), newKey()];
  await storage.commit(await storage.stage(Readable.from([Buffer.from('a picture')])), kept);
  await storage.write(written, Buffer.from('a rendition'));
  for (const [name, text] of [
    [kept, 'a picture'],
    [written, 'a rendition'],
  ] as const) {
    const stream = await bare.read(name);
    t.equal(stream && (await buffer(stream)).toString(), text);
  }
  const created = createHeader(sealed, keyring.present, 4096);
  await bare.write(
    sealed,
    Buffer.concat([created.header, sealBytes(streamKeyOf(sealed, created.dataKey, 4096), Buffer.from('old'))]),
  );
  const stream = await objects.read(sealed);
  t.equal(stream && (await buffer(stream)).toString(), 'old');
});
