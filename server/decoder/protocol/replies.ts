import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type DecodeLimits, MAX_PATCHED, MAX_PATCHES } from '../core/limits.ts';
import { CONTENT_TYPES, type Format } from '../formats/content-types.ts';
import { sniff } from '../formats/sniff.ts';
import { patchesOf, redactBytes } from '../metadata/bytes/redaction.ts';
import type { Frame } from './frames.ts';
import { type Decoded, FAULT_CODES, type FromWorker, RENDITIONS } from './messages.ts';

const exact = { additionalProperties: false };
const whole = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) => Type.Integer({ minimum, maximum });
const phrase = Type.String({ maxLength: 500 });
const optionalLength = Type.Optional(whole(1));

const Redaction = Type.Array(
  Type.Union([
    Type.Object({ at: whole(0), length: whole(1), fill: whole(0, 255) }, exact),
    Type.Object({ at: whole(0), bytes: Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' }) }, exact),
  ]),
  { maxItems: MAX_PATCHES },
);

/** Lengths of the renditions, whose bytes follow in the order of RENDITIONS. */
const Renditions = Type.Object(
  { thumbnail: whole(1), screen: optionalLength, thumbnailAvif: optionalLength, screenAvif: optionalLength },
  exact,
);
type Renditions = Static<typeof Renditions>;

const Image = Type.Object(
  {
    contentType: Type.String({ maxLength: 50 }),
    extension: Type.String({ maxLength: 10 }),
    width: whole(1),
    height: whole(1),
    placeholder: Type.String({ pattern: '^[A-Za-z0-9+/]{1,60}={0,2}$' }),
    // One line: no control characters.
    camera: Type.Union([Type.Null(), Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,200}$' })]),
    traces: Type.Union([Type.Literal('none'), Type.Literal('unreadable'), Type.Literal('removable')]),
    redaction: Type.Optional(Redaction),
  },
  exact,
);

const Failure = Type.Object(
  {
    code: Type.Union([
      Type.Literal('NOT_AN_IMAGE'),
      Type.Literal('EMPTY_FILE'),
      Type.Literal('DAMAGED_IMAGE'),
      Type.Literal('TOO_MANY_PIXELS'),
      Type.Literal('TOO_MUCH_MEMORY'),
    ]),
    detail: phrase,
  },
  exact,
);

const Fault = Type.Object({ message: phrase, code: Type.Enum([...FAULT_CODES]), syscall: phrase }, exact);

const Reply = Type.Union([
  Type.Object({ type: Type.Literal('ready') }, exact),
  Type.Object({ type: Type.Literal('checked'), reachable: Type.Array(phrase, { maxItems: 20 }) }, exact),
  Type.Object({ type: Type.Literal('need'), memory: whole(0), timeoutMs: whole(1) }, exact),
  Type.Object({ type: Type.Literal('read') }, exact),
  Type.Object({ type: Type.Literal('decoded'), image: Image, renditions: Renditions }, exact),
  Type.Object({ type: Type.Literal('refused'), failure: Failure }, exact),
  Type.Object({ type: Type.Literal('fault'), fault: Fault }, exact),
]);
export type Reply = Static<typeof Reply>;

const replies = Compile(Reply);

type Asked = {
  limits: DecodeLimits;
  size: number;
  /** The first bytes, as many as `sniff` reads. */
  head: Buffer;
};

/** Parses a reply; undefined if it is invalid. A picture may have compromised the decoder, so everything is checked. */
export function readReply({ text, bytes }: Frame, asked: Asked | undefined): FromWorker | undefined {
  const reply = parse(text);
  if (!replies.Check(reply)) return undefined;
  if (reply.type === 'refused') return { type: 'done', outcome: { ok: false, failure: reply.failure } };
  if (reply.type !== 'decoded') return reply;
  const { image, renditions } = reply;
  if (asked === undefined || !isPlausible(image, asked)) return undefined;
  const parts = split(bytes, renditions);
  if (parts === undefined) return undefined;
  return { type: 'done', outcome: { ok: true, image: { ...image, ...parts } as Decoded } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPlausible(image: Static<typeof Image>, { limits, size, head }: Asked): boolean {
  if (image.width * image.height > limits.maxPixels) return false;
  if ((image.traces === 'removable') !== (image.redaction !== undefined)) return false;
  const redaction = image.redaction ?? [];
  if (!isBounded(redaction, size) || !beginsAs(image, head)) return false;
  // The redacted file must have the same type.
  return redaction.length === 0 || beginsAs(image, redactBytes(head, 0, patchesOf(redaction)));
}

/** Whether the first bytes match the content type. AVIF and HEIC start alike. */
function beginsAs({ contentType, extension }: Static<typeof Image>, head: Buffer): boolean {
  const kind = sniff({ part: (from, to) => head.subarray(from, to) });
  const formats = Object.keys(CONTENT_TYPES) as Format[];
  return formats
    .filter((format) => kind === (format === 'avif' || format === 'heic' ? 'heif' : format))
    .some(
      (format) => CONTENT_TYPES[format].contentType === contentType && CONTENT_TYPES[format].extension === extension,
    );
}

function isBounded(redaction: Static<typeof Redaction>, size: number): boolean {
  let end = 0;
  let patched = 0;
  for (const span of redaction) {
    if (span.at < end) return false;
    const length = 'fill' in span ? span.length : Buffer.byteLength(span.bytes, 'base64');
    if (!('fill' in span)) patched += length;
    end = span.at + length;
  }
  return end <= size && patched <= MAX_PATCHED;
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
const isAvif = (bytes: Buffer) => bytes.toString('latin1', 4, 12) === 'ftypavif';

/** Copies each rendition, so that none keeps the others in memory. */
function split(bytes: Buffer, renditions: Renditions) {
  const parts: Partial<Record<(typeof RENDITIONS)[number], Buffer>> = {};
  let at = 0;
  for (const name of RENDITIONS) {
    const length = renditions[name];
    if (length === undefined) continue;
    const part = Buffer.from(bytes.subarray(at, at + length));
    const isRight = name.endsWith('Avif') ? isAvif : isWebp;
    if (part.length !== length || !isRight(part)) return undefined;
    parts[name] = part;
    at += length;
  }
  return at === bytes.length ? parts : undefined;
}
