/** Shapes of a backup's entries. A backup may come from anywhere: every entry is checked, and names become paths only in these forms. */
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { BackupError } from './backup-error.ts';

/** Raise when older programs cannot restore what this one writes. A file keeps one format for its whole life. */
export const FORMATS = { plain: 1, sealed: 2 } as const;

export const HEADER_NAME = 'gallery-backup.json';
export const objectName = (sha256: string) => `objects/${sha256}`;
export const hashInName = (name: string) => /^objects\/([0-9a-f]{64})$/.exec(name)?.[1];
export const manifestName = (time: string) => `snapshots/${time}/manifest.json`;
export const sealedManifestName = (time: string) => `snapshots/${time}/manifest.sealed`;
/** In the format of `sha256sum`; a snapshot counts once this entry is whole and matches. */
export const sealName = (time: string) => `snapshots/${time}/manifest.sha256`;

export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

/** The file's first entry. `mark`, in hex, is part of every tar header of the file (tar-header.ts). */
export const BackupHeader = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  installation: Uuid,
  created: Time,
  mark: Type.String({ pattern: '^[0-9a-f]{24}$' }),
});
export type BackupHeader = Static<typeof BackupHeader>;

/** The object holds what follows the beginning of a sealed file (docs/run/encryption.md). */
const sealedObject = {
  beginning: Type.String({ pattern: '^[A-Za-z0-9+/]{288}$' }),
  size: Count,
  sha256: Sha256,
};
const SealedObject = Type.Object(sealedObject);
export type SealedObject = Static<typeof SealedObject>;

/** An object with lines of JSON. Size and SHA-256 describe the plaintext; `sealed` says how it is stored. */
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
  /** Version of the program that wrote the snapshot. */
  program: Type.String(),
  time: Time,
  installation: Uuid,
  /** Creation time (ms) of the last migration, as drizzle counts. */
  schema: Count,
  tables: Type.Array(Table),
  /** The files of all images, in lines of `FileLine`; shared files count once. */
  files: Type.Object({ count: Count, bytes: Count, missing: Count, damaged: Count, parts: Type.Array(Part) }),
});
export type Manifest = Static<typeof Manifest>;

/**
 * `missing`: the row had no bytes. `damaged`: the bytes did not match it. `shared`: listed with each image that shares
 * it. `sealed`: the object lacks the sealed file's beginning; the line's size and SHA-256 describe the plaintext.
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
      /** The key it was sealed under, if different. */
      name: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  ),
});
export type FileLine = Static<typeof FileLine>;

/** @throws BackupError if the text is not JSON of this shape; `what` names it */
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
