/** Uploads real pictures and bad files and compares the outcomes with their manifest. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import type { Image } from '../contract.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { postFiles } from '../testing/form.ts';

const corpus = join(process.cwd(), '..', 'shared', 'corpus');

type Entry = { file: string; expected: string; width: string; height: string };

function readManifest(): Entry[] {
  const [head = '', ...lines] = readFileSync(join(corpus, 'manifest.tsv'), 'utf8').trimEnd().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])) as Entry;
  });
}

const skip = existsSync(join(corpus, 'manifest.tsv')) ? false : 'the corpus of real files is not beside this checkout';

t.test('every file of the corpus has the outcome in its manifest', { skip, timeout: 300_000 }, async (t) => {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir });
  const account = await signIn(app);
  let stored = 0;

  for (const { file, expected, width, height } of readManifest().filter(({ expected }) => expected !== 'list')) {
    const bytes = readFileSync(join(corpus, file));
    const answer = await postFiles(app, account, [{ name: file, bytes }]);
    const accepted = answer.statusCode === 201;
    if (expected !== 'either')
      t.equal(accepted, expected === 'accept', `${file}: ${answer.statusCode} ${answer.body.slice(0, 120)}`);
    if (!accepted) {
      t.ok([413, 415, 422].includes(answer.statusCode), `${file} is refused clearly: ${answer.body.slice(0, 160)}`);
      continue;
    }
    stored += 1;
    const [image] = answer.json<{ images: Image[] }>().images;
    if (!image) throw new Error('201 without an image');
    if (expected === 'accept')
      t.match(image, { width: Number(width), height: Number(height) }, `${file}: size as displayed`);
    const own = await app.inject({ url: `/api/images/${image.id}/original`, headers: account.bearer });
    t.ok(own.rawPayload.equals(bytes), `${file}: the owner gets the same bytes`);
    const open = await app.inject(new URL(image.url).pathname);
    t.equal(open.statusCode, 200, `${file}: the link serves it`);
    t.equal(open.rawPayload.length, bytes.length);
    t.equal(open.rawPayload.equals(bytes), image.location === 'none', `${file}: the link changes only the location`);
    const thumbnail = await app.inject(new URL(image.thumbnail_url).pathname);
    const size = await sharp(thumbnail.rawPayload).metadata();
    t.match(size, { format: 'webp' });
    t.ok(Math.max(size.width, size.height) <= 480);
    t.equal(
      size.width >= size.height,
      image.width >= image.height,
      `${file}: the thumbnail has the picture’s orientation`,
    );
    t.notOk(size.exif, `${file}: no metadata in the thumbnail`);
  }
  const left = await storedFiles(dataDir);
  t.equal(left.filter((path) => path.startsWith('originals')).length, stored, 'no originals of refused files remain');
  t.equal(left.filter((path) => path.startsWith('staging')).length, 0);
});
