/** The image alone, with the embedded Postgres and the compose file's hardening. */
import sharp from 'sharp';
import t from 'tap';
import type { Image } from '../server/contract.ts';
import type { SentFile } from '../server/testing/form.ts';
import { noise, svg } from '../server/testing/pictures.ts';
import { type Account, newAccount, pathOf, store } from '../trust-tests/testing/account.ts';
import { call } from '../trust-tests/testing/call.ts';
import { listAll } from '../trust-tests/testing/holdings.ts';
import { corpusBytes, withoutCorpus } from '../trust-tests/testing/pictures/corpus.ts';
import { type Gallery, startGallery } from './testing/gallery.ts';
import { podman } from './testing/podman.ts';

const made = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const;

async function thumbnailOf(gallery: Gallery, { thumbnail_url }: Pick<Image, 'thumbnail_url'>): Promise<Buffer> {
  const { status, bytes, body } = await call(gallery.origin, pathOf(thumbnail_url));
  if (status !== 200) throw new Error(`${thumbnail_url}: ${status} ${body}`);
  return bytes;
}

async function checkStored(gallery: Gallery, account: Account, file: SentFile): Promise<Image> {
  const [image] = await store(gallery.origin, account, [file]);
  if (!image) throw new Error('no image is in the answer');
  const { width = 0, height = 0 } = await sharp(await thumbnailOf(gallery, image)).metadata();
  if (width * height === 0) throw new Error('the thumbnail is empty');
  return image;
}

/** Width and height of what is drawn in black on white. */
async function shapeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dark = [...data.keys()].filter((at) => (data[at] ?? 255) < 128);
  const [columns, rows] = [dark.map((at) => at % info.width), dark.map((at) => Math.floor(at / info.width))];
  const span = (list: number[]) => (list.length === 0 ? 0 : Math.max(...list) - Math.min(...list) + 1);
  return { width: span(columns), height: span(rows) };
}

const glyph = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="white"/><text x="60" y="130" font-size="100">${text}</text></svg>`;

t.test('the image as the compose file runs it', async (t) => {
  const gallery = await startGallery(t);
  const account = await newAccount(gallery.origin);

  await t.test('every accepted format is stored and has a thumbnail', async (t) => {
    for (const format of made) {
      const image = await checkStored(gallery, account, {
        name: `made.${format}`,
        bytes: await noise(640, 480, format),
      });
      t.match(image, { content_type: `image/${format}`, width: 640, height: 480 });
    }
    t.match(await checkStored(gallery, account, { name: 'made.svg', bytes: svg }), { content_type: 'image/svg+xml' });
  });

  await t.test('HEIC is stored and has a thumbnail', { skip: withoutCorpus }, async (t) => {
    const bytes = corpusBytes('policy_IMG_7943.HEIC');
    t.match(await checkStored(gallery, account, { name: 'phone.heic', bytes }), { content_type: 'image/heic' });
  });

  await t.test('decoders are isolated by the filter', async (t) => {
    t.match(await gallery.logs(), /"isolation":"filter","msg":"decoders are isolated"/);
  });

  await t.test('text in SVG files has its letters, in Latin, Arabic and Chinese', async (t) => {
    const shape = async (name: string, text: string) =>
      shapeOf(await thumbnailOf(gallery, await checkStored(gallery, account, { name, bytes: glyph(text) })));
    // A font that lacks a letter draws a box.
    for (const bar of ['l', 'ا']) {
      const { width, height } = await shape('upright.svg', bar);
      t.ok(height > 2 * width && width > 0, `${bar}: ${width} x ${height}`);
    }
    const { width, height } = await shape('flat.svg', '一');
    t.ok(width > 2 * height && height > 0, `一: ${width} x ${height}`);
  });

  await t.test('the root file system is read-only, and the process has no capability', async (t) => {
    const { code, errors } = await gallery.exec('touch', '/app/file');
    t.equal(code, 1);
    t.match(errors, /Read-only file system/);
    const status = (await gallery.exec('cat', '/proc/1/status')).output;
    t.match(status, /CapEff:\t0{16}\n[\s\S]*NoNewPrivs:\t1\n[\s\S]*Seccomp:\t2\n/);
  });

  await t.test('the health check passes, and is not logged', async (t) => {
    t.ok(await gallery.isHealthy());
    t.notMatch(await gallery.logs(), '/api/health');
    t.match(await gallery.logs(), '/api/images/upload');
  });

  await t.test('the administrator’s commands run by exec', async (t) => {
    t.match(await gallery.exec('admin', '--help'), { code: 0, output: /doctor/ });
    t.match(await gallery.exec('admin', 'users', 'promote', account.username), { code: 0 });
    t.match(await gallery.exec('admin', 'users', 'list'), { code: 0, output: account.username });
    const { code, output } = await gallery.exec('admin', 'doctor');
    t.equal(code, 0, output);
  });

  await t.test('a stop ends with 0 within the grace time, and a restart has everything', async (t) => {
    const before = (await listAll(gallery.origin, account)).map(({ id }) => id);
    // After the grace time podman kills, and the code is 137.
    t.equal(await gallery.stop(), 0);
    await gallery.start();
    await gallery.ready();
    const images = await listAll(gallery.origin, account);
    t.same(
      images.map(({ id }) => id),
      before,
    );
    for (const image of images) t.ok((await thumbnailOf(gallery, image)).length > 0, image.filename);
  });

  t.equal(await podman('inspect', '--format', '{{.State.OOMKilled}}', gallery.name), 'false');
});
