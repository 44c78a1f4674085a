/**
 * What the entries of a backup say, as they stand in the file. A backup may come from anywhere: what is read is checked
 * against these shapes, and names become paths only in the forms given here.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { BackupError } from './backup-error.ts';

/** Raised when an older program could not restore what a newer one writes. A file has one form from its beginning on. */
export const FORMATS = { plain: 1, sealed: 2 } as const;

export const HEAD_NAME = 'gallery-backup.json';
export const objectName = (sha256: string) => `objects/${sha256}`;
export const hashInName = (name: string) => /^objects\/([0-9a-f]{64})$/.exec(name)?.[1];
export const manifestName = (time: string) => `snapshots/${time}/manifest.json`;
/** In a file whose rows are sealed. */
export const sealedManifestName = (time: string) => `snapshots/${time}/manifest.sealed`;
/** In the form of `sha256sum`; a snapshot counts once this entry is whole and agrees. */
export const sealName = (time: string) => `snapshots/${time}/manifest.sha256`;

export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

/** The file's first entry. `mark`, in hex, stands in every header of the file (tar-header.ts). */
export const Head = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  installation: Uuid,
  created: Time,
  mark: Type.String({ pattern: '^[0-9a-f]{24}$' }),
});
export type Head = Static<typeof Head>;

/** The object is what follows the beginning of a sealed one (docs/run/encryption.md). */
const sealedObject = {
  /** Base64. */
  beginning: Type.String({ pattern: '^[A-Za-z0-9+/]{288}$' }),
  size: Count,
  sha256: Sha256,
};
const SealedObject = Type.Object(sealedObject);
export type SealedObject = Static<typeof SealedObject>;

/** An object of lines of JSON. Size and SHA-256 are those of the plaintext, `sealed` says how it is stored. */
const Part = Type.Object({ sha256: Sha256, size: Count, lines: Count, sealed: Type.Optional(SealedObject) });
export type Part = Static<typeof Part>;

const Table = Type.Object({
  name: Type.String({ pattern: '^[a-z_]{1,63}$' }),
  columns: Type.Array(Type.String({ pattern: '^[a-z_0-9]{1,63}$' })),
  rows: Count,
  parts: Type.Array(Part),
});
export type Table = Static<typeof Table>;

export const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** Version of the program that wrote it. */
  program: Type.String(),
  time: Time,
  installation: Uuid,
  /** The last migration: when it was made (ms), as drizzle counts them. */
  schema: Count,
  tables: Type.Array(Table),
  /** Of every image its files, in lines of `FileLine`; those that several share count once. */
  files: Type.Object({ count: Count, bytes: Count, missing: Count, damaged: Count, parts: Type.Array(Part) }),
});
export type Manifest = Static<typeof Manifest>;

/**
 * One file of the storage. `missing`: its row stood, its bytes did not. `damaged`: they were not what the row says.
 * `shared`: it stands in the list with each of the images that share its bytes. `sealed`: the object is what follows the
 * beginning of the sealed file (docs/run/encryption.md); size and SHA-256 of the line are those of its plaintext.
 */
export const FileLine = Type.Object({
  key: Type.String({ pattern: '^(originals|thumbnails|screens)/[0-9a-f]{2}/[0-9a-f-]{36}\\.[a-z0-9]{1,16}$' }),
  size: Count,
  sha256: Sha256,
  missing: Type.Optional(Type.Literal(true)),
  damaged: Type.Optional(Type.Literal(true)),
  shared: Type.Optional(Type.Literal(true)),
  sealed: Type.Optional(
    Type.Object({
      ...sealedObject,
      /** The key under which it was sealed, where that is another. */
      name: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  ),
});
export type FileLine = Static<typeof FileLine>;

/** @throws BackupError where the text is not JSON of the shape; `what` names it */
export function parseAs<T extends TSchema>(shape: T, text: string, what: string): Static<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (Check(shape, value)) return value as Static<T>;
  throw new BackupError(`${what} is damaged, or was written by another program.`);
}
