/** Uploads real files and checks which are stored, which are refused, and how the stored ones are served. */
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { Image } from '../../server/contract.ts';
import type { SentFile } from '../../server/testing/form.ts';
import { type Account, imagesOf, newAccount, pathOf, send, store } from '../testing/account.ts';
import { type Answer, call } from '../testing/call.ts';
import { nothingLeft } from '../testing/left-over.ts';
import { type Loopback, serve, takeFailures } from '../testing/machine/loopback.ts';
import { processorTime } from '../testing/machine/processes.ts';
import { measured } from '../testing/measured.ts';
import { type CorpusEntry, corpusBytes, corpusFiles, withoutCorpus } from '../testing/pictures/corpus.ts';

/** Browsers apply the Exif orientation of JPEG and PNG, but not of WebP. */
const turnedByBrowsers = (format: string) => ['jpeg', 'png'].includes(format);

/** @returns the mean difference per sample (of 255) between a served picture and its upright source */
async function difference(shown: Buffer, truth: Buffer): Promise<number> {
  const { format, autoOrient, width, height } = await sharp(shown).metadata();
  const turns = turnedByBrowsers(format);
  const size = turns ? autoOrient : { width, height };
  const pixels = (bytes: Buffer, turned: boolean) => {
    const image = sharp(bytes, { failOn: 'none' });
    return (
      (turned ? image.autoOrient() : image)
        .resize(size.width, size.height, { fit: 'fill' })
        .toColourspace('srgb')
        .flatten({ background: '#fff' })
        // Hides fine details that a lossy thumbnail loses, since only orientation matters here.
        .blur(1.5)
        .removeAlpha()
        .raw()
        .toBuffer()
    );
  };
  const [a, b] = [await pixels(shown, turns), await pixels(truth, true)];
  if (a.length !== b.length) return 255;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / a.length;
}

type Served = { original: Buffer; thumbnail: Buffer; screen: Buffer };

/** Checks a stored picture: its link serves it unless its location is withheld, and its owner always gets it. */
async function comesOut(
  t: Test,
  { origin }: Loopback,
  { bearer }: Account,
  image: Image,
  about: string,
): Promise<Served> {
  const byLink = await call(origin, pathOf(image.url));
  const own = await call(origin, `/api/images/${image.id}/original`, { headers: bearer });
  t.equal(own.status, 200, `${about}: its owner gets it`);
  t.equal(byLink.status, image.location === 'withheld' ? 403 : 200, `${about}: its link, location ${image.location}`);
  if (byLink.status === 200) t.equal(byLink.bytes.length, own.bytes.length, `${about}: its link serves all bytes`);
  if (image.location === 'none') t.ok(byLink.bytes.equals(own.bytes), `${about}: byte for byte`);
  const [thumbnail, screen] = [
    await call(origin, pathOf(image.thumbnail_url)),
    await call(origin, pathOf(image.screen_url)),
  ];
  t.equal(thumbnail.status, 200, `${about}: its thumbnail`);
  t.equal(screen.status, 200, `${about}: its screen rendition`);
  const { format, width, height } = await sharp(thumbnail.bytes).metadata();
  t.match({ format, small: Math.max(width, height) <= 480 }, { format: 'webp', small: true }, about);
  return { original: own.bytes, thumbnail: thumbnail.bytes, screen: screen.bytes };
}

function isClearRefusal({ status, body }: Answer): boolean {
  return [413, 415, 422].includes(status) && /\w/.test(JSON.parse(body).message);
}

t.test(
  'every real file is stored or refused as the manifest expects',
  { skip: withoutCorpus, timeout: 500_000 },
  async (t) => {
    const at = await serve(t);
    const account = await newAccount(at.origin);
    const counts = { accept: [0, 0], reject: [0, 0], either: [0, 0] };
    let hardest = 0;
    let [rows, slowest, upright, worst, withheld] = [0, 0, 0, 0, 0];

    async function upload({ file, expected, width, height, frames, class: kind }: CorpusEntry): Promise<boolean> {
      const bytes = corpusBytes(file);
      const start = performance.now();
      const before = processorTime(process.pid);
      const answer = await send(at.origin, account, [{ name: file, bytes }]);
      const stored = answer.status === 201;
      if (expected === 'reject') {
        slowest = Math.max(slowest, performance.now() - start);
        hardest = Math.max(hardest, processorTime(process.pid) - before);
      }
      if (!stored) return expected !== 'accept' && isClearRefusal(answer);
      rows += 1;
      const [image] = imagesOf(answer);
      if (!image || expected === 'reject') return false;
      const served = await comesOut(t, at, account, image, file);
      if (image.location === 'withheld') withheld += 1;
      t.ok(served.original.equals(bytes), `${file}: kept as sent`);
      if (expected !== 'accept') return true;
      if (kind === 'orient' || kind === 'camera' || kind === 'gps') {
        for (const shown of [served.thumbnail, served.screen]) {
          const off = await difference(shown, bytes);
          t.ok(off <= 3, `${file}: ${off.toFixed(1)} of 255 off`);
          worst = Math.max(worst, off);
        }
        upright += 1;
      }
      const { pages = 1 } = await sharp(served.original, { failOn: 'none' }).metadata();
      t.equal(pages, Number(frames), `${file}: its number of frames`);
      return image.width === Number(width) && image.height === Number(height) && pages === Number(frames);
    }

    for (const entry of corpusFiles()) {
      const count = counts[entry.expected as keyof typeof counts];
      const right = await upload(entry);
      t.ok(right, `${entry.file}: ${entry.expected}`);
      count[0] = (count[0] ?? 0) + (right ? 1 : 0);
      count[1] = (count[1] ?? 0) + 1;
    }
    await nothingLeft(t, at, rows);
    const failures = takeFailures();
    t.same(failures, []);
    const told = ([right, all]: number[]) => ({ seen: `${right} of ${all}`, held: right === all });
    const refusals = told(counts.reject);
    measured('G1', told(counts.accept));
    measured('G2', {
      seen: `${refusals.seen}, in ${(slowest / 1000).toFixed(1)} s at most`,
      held: refusals.held && slowest <= 5000,
      ...(refusals.held && hardest <= 5000
        ? { unsure: `others kept the machine busy: ${(hardest / 1000).toFixed(1)} s of the processor at most` }
        : {}),
    });
    const either = told(counts.either);
    measured('G3', {
      seen: `${either.seen}, ${failures.length} answers 5xx; of all ${rows} stored ${withheld} for their owner alone`,
      held: either.held && failures.length === 0,
    });
    measured('G4', {
      part: 'corpus',
      seen: `${worst.toFixed(1)} of 255 at most, of ${upright}`,
      held: worst <= 3 && upright > 0,
    });
  },
);

t.test('the thumbnail and the screen rendition are upright for every orientation and format', async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  // An image without symmetry: every orientation of it differs.
  const shades = Buffer.from(
    Array.from({ length: 60 * 40 }, (_, index) => [
      (index % 60) * 4,
      Math.floor(index / 60) * 6,
      index % 60 < 20 ? 200 : 30,
    ]).flat(),
  );
  const turned = sharp(shades, { raw: { width: 60, height: 40, channels: 3 } });
  const formats = ['jpeg', 'webp', 'png', 'tiff'] as const;
  const files: SentFile[] = [];
  for (const format of formats)
    for (let orientation = 1; orientation <= 8; orientation += 1)
      files.push({
        name: `${orientation}.${format}`,
        bytes: await turned.clone().withMetadata({ orientation }).toFormat(format, { quality: 95 }).toBuffer(),
      });
  const images = await store(at.origin, account, files);
  let worst = 0;
  for (const [index, { name, bytes }] of files.entries()) {
    const image = images[index] as Image;
    const { thumbnail, screen } = await comesOut(t, at, account, image, name);
    for (const [what, shown] of Object.entries({ thumbnail, screen })) {
      const off = await difference(shown, bytes as Buffer);
      t.ok(off <= 3, `${name}: its ${what} is ${off.toFixed(1)} of 255 off`);
      worst = Math.max(worst, off);
    }
  }
  measured('G4', {
    part: 'turned',
    seen: `${worst.toFixed(1)} of 255 at most, of ${files.length}`,
    held: worst <= 3,
  });
});
