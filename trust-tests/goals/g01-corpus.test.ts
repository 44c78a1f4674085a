/** Real files through the whole upload: what is stored, what is refused, and how the stored ones come out. */
import sharp from 'sharp';
import t, { type Test } from 'tap';
import type { Image } from '../../server/contract.ts';
import { imagesOf, newAccount, pathOf, send } from '../testing/account.ts';
import { type Answer, call } from '../testing/call.ts';
import { type CorpusEntry, corpusBytes, corpusFiles, withoutCorpus } from '../testing/corpus.ts';
import { nothingLeft } from '../testing/left-over.ts';
import { type Loopback, serve, takeFailures } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

/** Mean difference of two pictures in one sample, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const { width, height } = await sharp(one).metadata();
  const pixels = (bytes: Buffer) =>
    sharp(bytes, { failOn: 'none' })
      .autoOrient()
      .resize(width, height, { fit: 'fill' })
      .toColourspace('srgb')
      .flatten({ background: '#fff' })
      .blur(2)
      .raw()
      .toBuffer();
  const [a, b] = [await pixels(one), await pixels(other)];
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / a.length;
}

/** A stored picture as it is served: whole, with a thumbnail that is one. */
async function comesOut(t: Test, { origin }: Loopback, image: Image, about: string): Promise<Buffer> {
  const original = await call(origin, pathOf(image.url));
  t.ok([200, 403].includes(original.status), `${about}: its link answers ${original.status}`);
  const thumbnail = await call(origin, pathOf(image.thumbnail_url));
  t.equal(thumbnail.status, 200, `${about}: its thumbnail`);
  const { format, width, height } = await sharp(thumbnail.bytes).metadata();
  t.match({ format, small: Math.max(width, height) <= 480 }, { format: 'webp', small: true }, about);
  return thumbnail.bytes;
}

function isClearRefusal({ status, body }: Answer): boolean {
  return [413, 415, 422].includes(status) && /\w/.test(JSON.parse(body).message);
}

t.test('every real file is stored or refused as it should be', { skip: withoutCorpus, timeout: 500_000 }, async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  const counts = { accept: [0, 0], reject: [0, 0], either: [0, 0] };
  let [rows, slowest, upright, worst] = [0, 0, 0, 0];

  async function upload({ file, expected, width, height, class: kind }: CorpusEntry): Promise<boolean> {
    const bytes = corpusBytes(file);
    const start = performance.now();
    const answer = await send(at.origin, account, [{ name: file, bytes }]);
    const stored = answer.status === 201;
    if (expected === 'reject') slowest = Math.max(slowest, performance.now() - start);
    if (!stored) return expected !== 'accept' && isClearRefusal(answer);
    rows += 1;
    const [image] = imagesOf(answer);
    if (!image || expected === 'reject') return false;
    const thumbnail = await comesOut(t, at, image, file);
    if (expected !== 'accept') return true;
    if (kind === 'orient' || kind === 'camera' || kind === 'gps') {
      const off = await difference(thumbnail, bytes);
      t.ok(off <= 3, `${file}: ${off.toFixed(1)} of 255 off`);
      upright += 1;
      worst = Math.max(worst, off);
    }
    return image.width === Number(width) && image.height === Number(height);
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
  });
  const either = told(counts.either);
  measured('G3', {
    seen: `${either.seen}, ${failures.length} answers 5xx`,
    held: either.held && failures.length === 0,
  });
  measured('G4', { seen: `${worst.toFixed(1)} of 255 at most, of ${upright}`, held: worst <= 3 && upright > 0 });
});
