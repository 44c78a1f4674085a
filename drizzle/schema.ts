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

/** A text that is compared letter by letter, whatever the database's language. */
const byLetters = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/**
 * Bytes of an original that are covered up when it is served by its public link. Each span begins `at` bytes from the
 * start and is replaced by as many bytes: `fill` repeats one byte value `length` times, `bytes` (base64) stand as they
 * are. Sorted, without overlap: the file keeps its length, and ranges stay what they were.
 */
export type Redaction = ({ at: number; length: number; fill: number } | { at: number; bytes: string })[];

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  /** The username folded (NFKC, no case), so that look-alikes by case or composition are one name. */
  usernameKey: text('username_key').notNull().unique('users_username_key_unique'),
  email: text('email').notNull(),
  /** The email without regard to case. */
  emailKey: text('email_key').notNull().unique('users_email_key_unique'),
  /** argon2id, in PHC string form. */
  passwordHash: text('password_hash').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Set by an administrator: no login and no session from then on; the pictures stay. */
  disabledAt: moment('disabled_at'),
  /** Set by an administrator: none of the account's public links, to images or to albums, is answered. */
  linksSilencedAt: moment('links_silenced_at'),
  /** Whether a login from a new device is mailed, where the server sends mail. */
  loginMails: boolean('login_mails').notNull().default(true),
  /** What this account's rows in `images` add up to, changed in the same transaction as they. Bytes are the originals'. */
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
    /** What the program that logged in said of itself, cut; null where it said nothing, or an earlier version did not ask. */
    userAgent: text('user_agent'),
    /** When it was used last, to five minutes. */
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user_id').on(table.userId), index('sessions_expires_at').on(table.expiresAt)],
);

/** Who may set a new password by the link in a mail: one link an account, the one that was asked for last. */
export const passwordResets = pgTable('password_resets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** SHA-256 of the link's token, hex: who reads the table cannot use it. */
  tokenHash: text('token_hash').notNull().unique('password_resets_token_hash_unique'),
  expiresAt: moment('expires_at').notNull(),
});

/** Another email that an account asked for, until the link that was mailed to it is opened: one an account. */
export const emailChanges = pgTable('email_changes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  /** SHA-256 of the link's token, hex. */
  tokenHash: text('token_hash').notNull().unique('email_changes_token_hash_unique'),
  expiresAt: moment('expires_at').notNull(),
});

/** From where an account has logged in: a login from elsewhere is mailed to its owner. */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256, hex, of the account and the browser's random cookie, or of a program's name and its address. */
    keyHash: text('key_hash').notNull(),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.keyHash] })],
);

export const images = pgTable(
  'images',
  {
    /** UUID v7: later uploads sort higher, also within a millisecond of one process. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /**
     * Under which id its bytes stand in the storage, where they came there with another image of the same owner; null: under
     * its own. That image may be gone since: bytes stay until the last row that names them goes.
     */
    contentId: uuid('content_id'),
    /** The random part of the public links: 128 bits, base64url. */
    linkKey: text('link_key').notNull().unique('images_link_key_unique'),
    /** What the one who uploaded it called this one storing; sent again under it, the file is not stored again. */
    uploadKey: text('upload_key'),
    filename: text('filename').notNull(),
    /** What the owner says of the picture, in one line: its alternative text. Empty where nothing was said. */
    description: text('description').notNull().default(''),
    /** Filename and description folded, as server/images/search-name.ts joins them: what searches are compared with. */
    searchName: text('search_name').notNull(),
    /**
     * What names are sorted by (the function is made by the migration): without case, numbers of up to ten digits by their value, its first 200
     * characters. Letters stand in the order of Unicode, on every server.
     */
    nameKey: byLetters('name_key').notNull().generatedAlwaysAs(sql`name_order(search_name)`),
    /** Without its dot, by the true type. */
    extension: text('extension').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes of the original. */
    size: bigint('size', { mode: 'number' }).notNull(),
    /** SHA-256 of the original, hex. */
    sha256: text('sha256').notNull(),
    /** Pixels as displayed, after orientation. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Thumbhash, base64. */
    placeholder: text('placeholder').notNull(),
    /** Which one took it, by EXIF, in one line of at most 100 characters; null where the file does not say, or nobody has looked. */
    camera: text('camera'),
    /** Whether a screen-size rendition stands in for an original that browsers cannot show upright. */
    hasScreen: boolean('has_screen').notNull().default(false),
    /** SHA-256 of the renditions, hex; null where there is none, or an earlier version made it. */
    thumbnailSha256: text('thumbnail_sha256'),
    screenSha256: text('screen_sha256'),
    /** Of the same in AVIF; null as long as it was not made, and where it would not save enough. */
    thumbnailAvifSha256: text('thumbnail_avif_sha256'),
    screenAvifSha256: text('screen_avif_sha256'),
    /** Whether the renditions that are made behind the answer are still to be made. */
    renditionsDue: boolean('renditions_due').notNull().default(true),
    /** What is known of places and serial numbers in the original's metadata; null where nobody has looked yet. */
    traces: text('traces', { enum: ['none', 'removable', 'unreadable'] }),
    /** Where they stand, when they are `removable`: what the public link covers up. */
    redaction: jsonb('redaction').$type<Redaction>(),
    /** Set by an administrator: the public links are closed; the owner still sees, downloads and deletes the image. */
    hiddenAt: moment('hidden_at'),
    /** Why, in one line, as the owner reads it; null where no reason was given. */
    hiddenReason: text('hidden_reason'),
    /** Whether it was hidden for legal reasons: its links then answer 451, not 404. */
    hiddenLegal: boolean('hidden_legal').notNull().default(false),
    /**
     * Whether the original is sealed in the storage (docs/run/encryption.md). Plain bytes in its place are damage then. Set after
     * its bytes are sealed and synced, and taken back before plain ones are written: a row never says more than is stored.
     */
    sealed: boolean('sealed').notNull().default(false),
    /** The same of all its renditions. */
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
    /** The function is made by the migration 0006. Of what is pending, which each search reads whole, 256 kB at most. */
    index('images_name_trigrams')
      .using('gin', sql`name_trigrams(${table.ownerId}, ${table.searchName})`)
      .with({ gin_pending_list_limit: 256 }),
  ],
);

/**
 * How many images an account has in each stretch of time: a stretch is 2^span milliseconds long, and `place` is its
 * number since 1970. Three spans: 63 (all), 30 (12 days) and 20 (17 minutes). Triggers on `images` keep them, in the
 * transaction that changes the rows, whatever changes them; where none are left, there is no row.
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

/** Places in an album, and of albums in their list, are far apart: what is put between two takes a number between theirs. */
export const albums = pgTable(
  'albums',
  {
    /** UUID v7. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As its owner wrote it, trimmed; others of the same name may stand beside it. */
    name: text('name').notNull(),
    /** The name folded (NFC, no case): what searches are compared with. */
    searchName: text('search_name').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    /** The random part of the public page's link: 128 bits, base64url; null while there is none. */
    linkKey: text('link_key').unique('albums_link_key_unique'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('albums_owner_position').on(table.ownerId, table.position, table.id)],
);

/** Which images an album shows. The bytes, and the images' rows, know nothing of it. */
export const albumImages = pgTable(
  'album_images',
  {
    albumId: uuid('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    /** The album's and the image's. */
    ownerId: uuid('owner_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    /** Chosen by its owner, one at most: a cover that leaves the album is none any more. */
    isCover: boolean('is_cover').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.albumId, table.imageId] }),
    /** Pages and totals are read from it alone. */
    index('album_images_position').on(table.ownerId, table.albumId, table.position, table.imageId),
    index('album_images_image').on(table.imageId),
    uniqueIndex('album_images_cover').on(table.albumId).where(sql`${table.isCover}`),
  ],
);

/**
 * Bytes that stand, or may stand, in the storage while no row in `images` names them: an upload between its renames and
 * its rows, a deletion between its row and its bytes. Written before the first and with the second, gone with the last
 * step; so what a killed process left behind is found without looking through the storage.
 */
export const orphanedBlobs = pgTable('loose_bytes', {
  /** The content's id (`images.content_id`), from which the storage's keys are made. */
  imageId: uuid('image_id').primaryKey(),
  extension: text('extension').notNull(),
  /** The process that is at it: the number of the advisory lock it holds while it lives. */
  process: bigint('process', { mode: 'bigint' }).notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/**
 * Uploads that come in pieces (tus). Their bytes stand in the staging (storage/partials.ts) until it is decided what became
 * of them; the row stays until it expires, so that the outcome can be asked for again.
 */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    filename: text('filename').notNull(),
    /** Bytes, as announced. */
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Bytes from the start that are safe. */
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    /** In which pieces these bytes stand (server/storage/partials.ts); of what an earlier version received, none is told. */
    pieces: text('pieces').array().notNull().default([]),
    /** The image it became, written in the transaction that made it; the image may be gone since. */
    imageId: uuid('image_id'),
    /** Why it became none. */
    refusal: jsonb('refusal').$type<{ code: string; message: string }>(),
    /** Put off by each part that comes. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('uploads_owner').on(table.ownerId), index('uploads_expires_at').on(table.expiresAt)],
);

/** One row: which storage belongs to this database. Its id stands in the storage too, in the file `installation`. */
export const installation = pgTable('installation', {
  id: uuid('id').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** The ids of the keys by which stored bytes may be sealed (docs/run/encryption.md): without them no server starts. */
  sealedBy: text('sealed_by').array().notNull().default([]),
});

/** Attempts counted in fixed windows, in the database so that they hold across restarts and processes. */
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
