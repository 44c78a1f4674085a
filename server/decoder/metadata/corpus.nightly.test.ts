/** Real files from cameras, phones and attackers: served versions must contain no sensitive metadata. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { openBytes } from '../core/file-bytes.ts';
import { inspect } from '../decoding/inspect.ts';
import { noExiftool, readTags, telling } from '../testing/exiftool.ts';
import { decodeBytes, LIMITS } from '../testing/pictures.ts';
import { patchesOf, redactBytes } from './bytes/redaction.ts';
import { findSensitiveMetadata } from './find.ts';

const CORPUS = join(process.cwd(), '..', 'shared', 'corpus');
const noCorpus = existsSync(join(CORPUS, 'manifest.tsv')) ? false : 'the corpus of real files is not here';

type Look = { stored: Buffer; served: Buffer; traces: string };

/** Undefined for a file that is rejected before decoding. */
async function look(path: string): Promise<Look | undefined> {
  const bytes = openBytes(path);
  try {
    const { format } = await inspect(bytes, LIMITS);
    const { traces, redaction = [] } = findSensitiveMetadata(bytes, format);
    const stored = readFileSync(path);
    return { stored, served: redactBytes(stored, 0, patchesOf(redaction)), traces };
  } catch {
    return undefined;
  } finally {
    bytes.close();
  }
}

const looks = new Map<string, Look>();
if (!noCorpus) {
  for (const name of readdirSync(CORPUS)) {
    const found = await look(join(CORPUS, name));
    if (found !== undefined) looks.set(name, found);
  }
}

t.test('no real picture has unreadable metadata', { skip: noCorpus }, async (t) => {
  t.ok(looks.size > 60, `${looks.size} files`);
  for (const [name, { traces }] of looks) t.not(traces, 'unreadable', name);
});

t.test('exiftool finds no location or serial number in served files', { skip: noCorpus || noExiftool }, async (t) => {
  const before = await readTags(new Map([...looks].map(([name, { stored }]) => [name, stored])));
  const after = await readTags(new Map([...looks].map(([name, { served }]) => [name, served])));
  const sensitive = [...looks.keys()].filter((name) => telling(before.get(name)).length > 0);
  t.ok(sensitive.length >= 10, `exiftool found some in ${sensitive.length} originals`);
  for (const [name, tags] of after) {
    t.same(telling(tags), [], name);
    const orientation = (all: typeof after) => all.get(name)?.find((tag) => tag.name === 'Orientation')?.value;
    t.equal(orientation(after), orientation(before), `${name}: its orientation`);
  }
});

t.test('redaction keeps length and pixels', { skip: noCorpus, timeout: 300_000 }, async (t) => {
  for (const [name, { stored, served, traces }] of looks) {
    t.equal(served.length, stored.length, name);
    if (traces === 'none') {
      t.ok(served.equals(stored), `${name} is served unchanged`);
      continue;
    }
    const [before, after] = [await decodeBytes(stored), await decodeBytes(served)];
    if (before.ok && after.ok) t.ok(after.image.thumbnail.equals(before.image.thumbnail), `${name}: its thumbnail`);
    else t.same(after, before, name);
    const pixels = (bytes: Buffer) =>
      sharp(bytes)
        .raw()
        .toBuffer()
        .catch(() => undefined); // HEIC
    t.same(await pixels(served), await pixels(stored), `${name}: its pixels`);
  }
});
