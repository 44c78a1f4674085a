import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createDecoderPool } from '../pool/pool.ts';
import { decodeBytes, LIMITS } from '../testing/pictures.ts';

const CORPUS = join(process.cwd(), '..', 'shared', 'corpus');
const skip = existsSync(join(CORPUS, 'manifest.tsv')) ? false : 'the corpus of real files is not here';

type Row = { file: string; expected: string; width: number; height: number };

function manifest(): Row[] {
  const [head = '', ...lines] = readFileSync(join(CORPUS, 'manifest.tsv'), 'utf8').trim().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    return {
      file: cell('file'),
      expected: cell('expected'),
      width: Number(cell('width')),
      height: Number(cell('height')),
    };
  });
}

t.test('every real file has the outcome listed in the manifest', { skip }, async (t) => {
  const pool = createDecoderPool({ limits: LIMITS });
  t.teardown(() => pool.close());
  const rows = manifest().filter(({ expected }) => expected !== '-');
  await Promise.all(
    rows.map(async ({ file, expected, width, height }) => {
      const outcome = await pool.decode(join(CORPUS, file));
      if (expected === 'accept') t.match(outcome, { ok: true, image: { width, height } }, file);
      else if (expected === 'reject') t.match(outcome, { ok: false }, file);
      else t.type(outcome.ok, 'boolean', `${file}: ${JSON.stringify(outcome.ok || outcome.failure)}`);
    }),
  );
});

t.test('HEIC is decoded upright with a screen rendition; a truncated one is rejected', { skip }, async (t) => {
  const bytes = readFileSync(join(CORPUS, 'policy_IMG_7943.HEIC'));
  const outcome = await decodeBytes(bytes);
  t.match(outcome, { ok: true, image: { contentType: 'image/heic', extension: 'heic', width: 100, height: 133 } });
  t.ok(outcome.ok && (outcome.image.screen?.length ?? 0) > 1000);
  for (let cut = 16; cut < bytes.length; cut += 331) {
    t.match(await decodeBytes(bytes.subarray(0, cut)), { failure: { code: 'DAMAGED_IMAGE' } }, `cut at ${cut}`);
  }
  t.match(await decodeBytes(bytes.subarray(0, -1)), { failure: { code: 'DAMAGED_IMAGE' } });
  const tight = { ...LIMITS, maxHeavyPixels: 13_299 };
  t.match(await decodeBytes(bytes, tight), { failure: { code: 'TOO_MANY_PIXELS', detail: 'at most 13,299' } });
  for (const brand of ['mif1', 'heim', 'hevx']) {
    const other = Buffer.from(bytes);
    other.write(brand, 8, 'latin1');
    t.match(await decodeBytes(other), { ok: true, image: { contentType: 'image/heic' } }, brand);
  }
});
