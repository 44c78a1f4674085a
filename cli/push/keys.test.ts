import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { readUploadKeys } from '../../server/ingest/upload-keys.ts';
import { temporaryFolder } from '../../server/testing/app.ts';
import { pathOf } from '../paths.ts';
import { sha256OfFile, uploadKeyOf } from './keys.ts';

const sha256 = createHash('sha256').update('bytes').digest('hex');

t.test('a key depends on the path below the folder and on the bytes, and on nothing else', (t) => {
  const key = uploadKeyOf('2024/é.jpg', sha256);
  // Fixed for ever: another derivation would send every file again.
  t.equal(key, 'mU3b4kCqPp38voa_G7z3Q1b_TjTkbsg1AYhlp5zBzM4');
  t.equal(uploadKeyOf('2024/e\u0301.jpg', sha256), key, 'in both forms of an accent');
  t.not(uploadKeyOf('2025/é.jpg', sha256), key);
  t.not(
    uploadKeyOf(`2024/${pathOf(Buffer.from('\xe9.jpg', 'latin1'))}`, sha256),
    key,
    'a name that only looks the same',
  );
  t.not(uploadKeyOf('2024/é.jpg', sha256.replace(/^./, 'x')), key);
  const access = { ownerId: '', tokenId: null, scopes: null, albumId: null, imagesExpireIn: null };
  t.same(readUploadKeys({ headers: { 'upload-keys': key }, access }), [key], 'the server accepts it');
  t.end();
});

t.test('the SHA-256 of a file is that of its bytes', async (t) => {
  const file = join(await temporaryFolder(t), 'a');
  await writeFile(file, 'bytes');
  t.equal(await sha256OfFile(file), sha256);
});
