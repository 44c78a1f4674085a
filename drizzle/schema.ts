import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/** Text compared by code point, whatever the database's locale. */
const byLetters = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * Bytes of an original that are redacted on its public link. Each span starts `at` bytes from the start of the file:
 * `fill` repeats one byte value `length` times, `bytes` (base64) replaces as many bytes. Spans are sorted and disjoint.
 */
export type Redaction = ({ at: number; length: number; fill: number } | { at: number; bytes: string })[];

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  /** The username folded (NFKC, no case), so that look-alikes count as the same name. */
  usernameKey: text('username_key').notNull().unique('users_username_key_unique'),
  email: text('email').notNull(),
  emailKey: text('email_key').notNull().unique('users_email_key_unique'),
  /** argon2id, in PHC string form. */
  passwordHash: text('password_hash').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Set by an administrator: the account has no login and no sessions; its images stay. */
  disabledAt: moment('disabled_at'),
  /** Set by an administrator: none of the account's public links, to images or albums, works. */
  linksSilencedAt: moment('links_silenced_at'),
  /** Whether a login from a new device is reported by mail. */
  loginMails: boolean('login_mails').notNull().default(true),
  /** Totals of the account's rows in `images`, updated in the same transaction. Bytes count originals only. */
  imageCount: integer('image_count').notNull().default(0),
  imageBytes: bigint('image_bytes', { mode: 'number' }).notNull().default(0),
});

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    /** The client's User-Agent header, truncated; null if it sent none or an earlier version created the session. */
    userAgent: text('user_agent'),
    /** Last use, to within five minutes. */
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user_id').on(table.userId), index('sessions_expires_at').on(table.expiresAt)],
);

/** Pending password resets: one per account, the latest request. */
export const passwordResets = pgTable('password_resets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** SHA-256 of the link's token, hex: reading the table does not reveal the token. */
  tokenHash: text('token_hash').notNull().unique('password_resets_token_hash_unique'),
  expiresAt: moment('expires_at').notNull(),
});

/** Email changes that wait for the mailed link to be opened: one per account. */
export const emailChanges = pgTable('email_changes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  tokenHash: text('token_hash').notNull().unique('email_changes_token_hash_unique'),
  expiresAt: moment('expires_at').notNull(),
});

/** Devices an account has logged in from; a login from another device is mailed to the owner. */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256, hex, of the account plus the browser's random cookie, or plus a program's name and address. */
    keyHash: text('key_hash').notNull(),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.keyHash] })],
);

export const images = pgTable(
  'images',
  {
    /** UUID v7: later uploads sort higher, even within a millisecond of one process. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The storage id of its bytes if shared with another image of the owner, possibly deleted; null: its own id. */
    contentId: uuid('content_id'),
    /** The random part of the public links: 128 bits, base64url. */
    linkKey: text('link_key').notNull().unique('images_link_key_unique'),
    /** The client's idempotency key: a retry with the same key does not store the file twice. */
    uploadKey: text('upload_key'),
    filename: text('filename').notNull(),
    /** The owner's one-line description, used as alternative text. */
    description: text('description').notNull().default(''),
    /** Filename and description folded (server/images/search-name.ts); searches match against it. */
    searchName: text('search_name').notNull(),
    /** The sort key of names, first 200 characters, case-folded; numbers of up to ten digits sort by value. */
    nameKey: byLetters('name_key').notNull().generatedAlwaysAs(sql`name_order(search_name)`),
    /** Without the dot; from the detected type. */
    extension: text('extension').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes of the original; its SHA-256 is in hex. */
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** Pixels as displayed, after orientation. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Thumbhash, base64. */
    placeholder: text('placeholder').notNull(),
    /** The camera model from EXIF, one line of at most 100 characters; null if absent or not read yet. */
    camera: text('camera'),
    /** Whether a screen-size rendition replaces an original that browsers cannot show upright. */
    hasScreen: boolean('has_screen').notNull().default(false),
    /** SHA-256 of the renditions, hex; null if there is none, or an earlier version created it. */
    thumbnailSha256: text('thumbnail_sha256'),
    screenSha256: text('screen_sha256'),
    /** The same for AVIF; null until rendered, or if AVIF would not save enough. */
    thumbnailAvifSha256: text('thumbnail_avif_sha256'),
    screenAvifSha256: text('screen_avif_sha256'),
    renditionsDue: boolean('renditions_due').notNull().default(true),
    /** Whether the original has sensitive metadata (locations, serial numbers); null until it is checked. */
    traces: text('traces', { enum: ['none', 'removable', 'unreadable'] }),
    /** What the public link redacts, if `traces` is `removable`. */
    redaction: jsonb('redaction').$type<Redaction>(),
    /** Set by an administrator: the public links are closed; the owner can still see, download and delete the image. */
    hiddenAt: moment('hidden_at'),
    /** The reason shown to the owner, one line; null if none was given. */
    hiddenReason: text('hidden_reason'),
    /** Whether it was hidden for legal reasons: its links then answer 451, not 404. */
    hiddenLegal: boolean('hidden_legal').notNull().default(false),
    /**
     * Whether the stored original is encrypted (docs/run/encryption.md); plaintext then counts as damage. Set after the
     * sealed bytes are synced and cleared before plaintext is written, so a row never claims more than is stored.
     */
    sealed: boolean('sealed').notNull().default(false),
    renditionsSealed: boolean('renditions_sealed').notNull().default(false),
    uploadedAt: moment('uploaded_at').notNull().defaultNow(),
  },
  (table) => [
    index('images_owner_newest').on(table.ownerId, table.uploadedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('images_owner_name').on(table.ownerId, table.nameKey, table.id),
    index('images_owner_size').on(table.ownerId, table.size, table.id),
    index('images_owner_content').on(table.ownerId, table.sha256),
    uniqueIndex('images_upload_key').on(table.ownerId, table.uploadKey).where(sql`${table.uploadKey} is not null`),
    index('images_content').on(table.contentId).where(sql`${table.contentId} is not null`),
    index('images_hidden').on(table.ownerId, table.id).where(sql`${table.hiddenAt} is not null`),
    index('images_renditions_due').on(table.id).where(sql`${table.renditionsDue}`),
    /** Migration 0006 defines the function. Every search reads the whole pending list, so it is limited to 256 kB. */
    index('images_name_trigrams')
      .using('gin', sql`name_trigrams(${table.ownerId}, ${table.searchName})`)
      .with({ gin_pending_list_limit: 256 }),
  ],
);

/**
 * Image counts per account and time interval. An interval is 2^span milliseconds long; `place` is its number since
 * 1970. Spans: 63 (all), 30 (12 days) and 20 (17 minutes). Triggers on `images` update the counts and delete zero rows.
 */
export const imageCounts = pgTable(
  'image_counts',
  {
    ownerId: uuid('owner_id').notNull(),
    span: smallint('span').notNull(),
    place: bigint('place', { mode: 'number' }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.span, table.place] })],
);

/** Positions, of albums and of images in them, leave gaps: an insertion takes a number between its neighbours'. */
export const albums = pgTable(
  'albums',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The name folded (NFC, no case); searches match against it. */
    searchName: text('search_name').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    /** The random part of the public link: 128 bits, base64url; null if the album has no link. */
    linkKey: text('link_key').unique('albums_link_key_unique'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('albums_owner_position').on(table.ownerId, table.position, table.id)],
);

export const albumImages = pgTable(
  'album_images',
  {
    albumId: uuid('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    /** Owns both the album and the image. */
    ownerId: uuid('owner_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    isCover: boolean('is_cover').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.albumId, table.imageId] }),
    /** Covers pages and totals (index-only scans). */
    index('album_images_position').on(table.ownerId, table.albumId, table.position, table.imageId),
    index('album_images_image').on(table.imageId),
    uniqueIndex('album_images_cover').on(table.albumId).where(sql`${table.isCover}`),
  ],
);

/**
 * Orphaned blobs: bytes that may be in the storage without a row in `images`, during an upload or a deletion. The row
 * is written first and deleted last, so the bytes that a killed process leaves are found without scanning the storage.
 */
export const orphanedBlobs = pgTable('orphaned_blobs', {
  /** The content's id (`images.content_id`); the storage keys derive from it. */
  imageId: uuid('image_id').primaryKey(),
  extension: text('extension').notNull(),
  /** The process that works on it: the number of the advisory lock it holds while it runs. */
  process: bigint('process', { mode: 'bigint' }).notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/**
 * Resumable uploads (tus). Their bytes are staged (server/storage/partials.ts); the row stays until it expires, so that
 * clients can still read the outcome.
 */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    filename: text('filename').notNull(),
    /** Bytes, as declared by the client. */
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Bytes received and synced. */
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    /** The pieces that hold these bytes (server/storage/partials.ts); empty for uploads of an earlier version. */
    pieces: text('pieces').array().notNull().default([]),
    /** The resulting image, written in the transaction that created it; it may be deleted since. */
    imageId: uuid('image_id'),
    refusal: jsonb('refusal').$type<{ code: string; message: string }>(),
    /** Extended by each part received. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('uploads_owner').on(table.ownerId), index('uploads_expires_at').on(table.expiresAt)],
);

/** One row that binds the database to its storage: the storage's file `installation` holds the same id. */
export const installation = pgTable('installation', {
  id: uuid('id').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Ids of the keys that may have sealed stored bytes; the server needs all of them to start. */
  sealedBy: text('sealed_by').array().notNull().default([]),
});

/** Attempts per fixed window; in the database, so they hold across restarts and processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (table) => [index('rate_limits_resets_at').on(table.resetsAt)],
);

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
export type ImageRow = typeof images.$inferSelect;
export type NewImageRow = typeof images.$inferInsert;
export type UploadRow = typeof uploads.$inferSelect;
export type AlbumRow = typeof albums.$inferSelect;
export type OrphanedBlobRow = typeof orphanedBlobs.$inferSelect;
