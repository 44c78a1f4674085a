/** Sends mutated and malformed forms to the real route. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

/** Changes, cuts, doubles or inserts bytes at a position given as a fraction. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  kind: fc.constantFrom('change', 'cut', 'double', 'insert', 'end'),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('\r\n', '--', '\r\n--', ';', '"', '\0', 'filename=', 'name="__proto__"', '\r\n\r\n')
      .map((text) => Buffer.from(text)),
  ),
});

function mutate(
  body: Buffer,
  { at, length, kind, bytes }: typeof mutation extends fc.Arbitrary<infer M> ? M : never,
): Buffer {
  const place = Math.floor(at * body.length);
  const [before, piece, after] = [
    body.subarray(0, place),
    body.subarray(place, place + length),
    body.subarray(place + length),
  ];
  if (kind === 'end') return before;
  if (kind === 'cut') return Buffer.concat([before, after]);
  if (kind === 'double') return Buffer.concat([before, piece, piece, after]);
  if (kind === 'insert') return Buffer.concat([before, bytes, piece, after]);
  return Buffer.concat([before, bytes, after]);
}

const word = fc.oneof(
  fc.constantFrom('images', 'x', '', '__proto__', 'constructor', 'a"b', 'a\r\nb', '../a', '\0'),
  fc.string({ maxLength: 20 }),
);
const part = fc.record({
  header: fc.constantFrom('Content-Disposition', 'content-disposition', 'Content-Type', 'X', ''),
  kind: fc.constantFrom('form-data', 'attachment', 'FORM-DATA', '', 'inline'),
  name: fc.option(word),
  filename: fc.option(word),
  type: fc.option(fc.constantFrom('image/png', 'text/plain', 'multipart/mixed; boundary=b', 'a', '')),
  more: fc.option(fc.constantFrom('Content-Transfer-Encoding: base64', 'no header', 'Content-Length: -1', ' folded')),
  isPicture: fc.boolean(),
  content: fc.uint8Array({ maxLength: 200 }),
});

function structure(
  parts: (typeof part extends fc.Arbitrary<infer P> ? P : never)[],
  png: Buffer,
  ends: string,
): Buffer {
  const pieces = parts.flatMap(({ header, kind, name, filename, type, more, isPicture, content }) => {
    const named = name === null ? '' : `; name="${name}"`;
    const file = filename === null ? '' : `; filename="${filename}"`;
    const lines = [
      `${header}: ${kind}${named}${file}`,
      ...(type === null ? [] : [`Content-Type: ${type}`]),
      ...(more ? [more] : []),
    ];
    return [
      Buffer.from(`--b\r\n${lines.join('\r\n')}\r\n\r\n`),
      isPicture ? png : Buffer.from(content),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(ends)]);
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

t.test(
  'a malformed form is stored or refused without a server error, and leaves no staged files',
  { timeout: 280_000 },
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const app = await buildTestApp(t, { dataDir });
    const { bearer } = await signIn(app);
    const png = await picture({ width: 8, height: 8 });
    const good = await form([
      { name: 'a.png', bytes: png },
      { name: 'b.png', bytes: png },
    ]);

    let stored = 0;
    async function accepts(type: string, payload: Buffer): Promise<void> {
      const headers = { ...bearer, 'content-type': type };
      const answer = await app.inject({ method: 'POST', url: '/api/images/upload', headers, payload });
      if (![201, 207, 400, 413, 415, 422].includes(answer.statusCode))
        throw new Error(`${answer.statusCode}: ${answer.body}`);
      stored += answer.json().images?.length ?? 0;
      const files = await storedFiles(dataDir);
      if (files.some((path) => path.startsWith('staging/'))) throw new Error(`left behind: ${files}`);
    }

    const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(mutations, (list) => accepts(good.headers['content-type'], list.reduce(mutate, good.payload))),
      { numRuns: 50 },
    );
    const ends = fc.constantFrom('--b--\r\n', '--b--', '--b', '', '--b\r\n', '\r\n--b--\r\nafter');
    const types = fc.constantFrom(
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary="b"',
      'Multipart/Form-Data;boundary=b; charset=x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), ends, types, (parts, end, type) =>
        accepts(type, structure(parts, png, end)),
      ),
      { numRuns: 50 },
    );
    t.ok(stored > 0, `${stored} pictures were stored`);
    const { total } = (await app.inject({ url: '/api/images/', headers: bearer })).json();
    t.equal(total, stored, 'exactly the pictures in the responses are stored');
    const files = await storedFiles(dataDir);
    const originals = files.filter((path) => path.startsWith('originals/'));
    const hashes = await Promise.all(originals.map(async (path) => hash(await readFile(join(dataDir, 'files', path)))));
    t.equal(new Set(hashes).size, originals.length, 'the same bytes are stored once');
    t.ok(hashes.includes(hash(png)) && originals.length <= stored, 'nothing else is stored');
  },
);
