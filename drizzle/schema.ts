import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
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

/** Byte ranges replaced on the public link, sorted and disjoint. `fill` repeats one byte; `bytes` is base64. */
export type Redaction = ({ at: number; length: number; fill: number } | { at: number; bytes: string })[];

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  /** Folded (NFKC, no case), so that look-alikes count as the same name. */
  usernameKey: text('username_key').notNull().unique('users_username_key_unique'),
  email: text('email').notNull(),
  emailKey: text('email_key').notNull().unique('users_email_key_unique'),
  /** When its owner last proved to read its mailbox; null if they never did. The first proof ends every earlier way in. */
  emailConfirmedAt: moment('email_confirmed_at'),
  /** Null for an account that logs in by an identity provider or a passkey alone. */
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['user', 'admin'] })
    .notNull()
    .default('user'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Since when it waits for an administrator's approval; null once approved. It cannot log in before. */
  pendingSince: moment('pending_since'),
  disabledAt: moment('disabled_at'),
  /** Since when none of its public links to images or albums works. */
  linksSilencedAt: moment('links_silenced_at'),
  loginMails: boolean('login_mails').notNull().default(true),
  /** Totals of its rows in `images`, updated in the same transaction. Bytes count originals only. */
  imageCount: integer('image_count').notNull().default(0),
  imageBytes: bigint('image_bytes', { mode: 'number' }).notNull().default(0),
  /** Its own limits; null for those of the server. */
  quotaImages: integer('quota_images'),
  quotaBytes: bigint('quota_bytes', { mode: 'number' }),
});

/** Links by which people register. The secret itself is not stored. */
export const invites = pgTable(
  'invites',
  {
    id: uuid('id').primaryKey(),
    secretHash: text('secret_hash').notNull().unique('invites_secret_hash_unique'),
    /** What its administrator calls it. */
    name: text('name').notNull(),
    /** The only email that may use it. */
    email: text('email'),
    maxUses: integer('max_uses').notNull(),
    uses: integer('uses').notNull().default(0),
    /** Limits of the accounts that it makes; null for those of the server. */
    quotaImages: integer('quota_images'),
    quotaBytes: bigint('quota_bytes', { mode: 'number' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
  },
  (table) => [index('invites_expires_at').on(table.expiresAt).where(sql`${table.expiresAt} is not null`)],
);

/** One-time links that make the first administrator. They end when there is one. */
export const adminClaims = pgTable('admin_claims', {
  tokenHash: text('token_hash').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Accounts of an identity provider (OpenID Connect) that log in to accounts here. */
export const identities = pgTable(
  'identities',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    /** The claim `sub`. */
    subject: text('subject').notNull(),
    /** What the provider calls it, for its owner to recognize. */
    label: text('label').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('identities_subject').on(table.issuer, table.subject),
    index('identities_user').on(table.userId),
  ],
);

/** Passkeys (WebAuthn). The private key never leaves the device. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** base64url */
    credentialId: text('credential_id').notNull().unique('passkeys_credential_id_unique'),
    /** COSE, base64url */
    publicKey: text('public_key').notNull(),
    /** Of its signatures; 0 if the device does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    /** Whether it may be on several devices. */
    synced: boolean('synced').notNull(),
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    usedAt: moment('used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Secrets of authenticator apps (TOTP), at most one of an account. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed by a key of the server's secret (server/auth/second-factor/). */
  secret: text('secret').notNull(),
  /** Null until its owner has given a first code. */
  confirmedAt: moment('confirmed_at'),
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** A row is one code. It is deleted when it is used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Steps of a login or of a registration that wait for the browser's next call. A row is deleted when it is used. */
export const challenges = pgTable(
  'challenges',
  {
    /** SHA-256 of the token that the browser has. */
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind').notNull(),
    /** The account that continues; null while it is unknown. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    data: jsonb('data').notNull(),
    /** Failed tries. */
    failures: integer('failures').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('challenges_expires_at').on(table.expiresAt), index('challenges_user').on(table.userId)],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    userAgent: text('user_agent'),
    /** Last use, to within five minutes. */
    seenAt: moment('seen_at').notNull().defaultNow(),
    /** How it was opened. */
    method: text('method', { enum: ['password', 'passkey', 'provider'] })
      .notNull()
      .default('password'),
    secondFactor: text('second_factor', { enum: ['totp', 'recovery-code', 'passkey'] }),
    /** The identity that opened it; null for others. */
    identityId: uuid('identity_id').references(() => identities.id, { onDelete: 'cascade' }),
    /** The provider's session: the claim `sid`. */
    providerSid: text('provider_sid'),
    /** The provider's ID token, by which a logout there is requested. */
    idToken: text('id_token'),
  },
  (table) => [
    index('sessions_user_id').on(table.userId),
    index('sessions_expires_at').on(table.expiresAt),
    index('sessions_identity').on(table.identityId).where(sql`${table.identityId} is not null`),
  ],
);

/** Several of an account: a stranger who requests another one does not end the one that its owner waits for. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the link's token: the table does not reveal the token. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Whether it was mailed, so that its use proves the mailbox. Administrators pass on the others. */
    mailed: boolean('mailed').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('password_resets_user').on(table.userId)],
);

export const emailChanges = pgTable('email_changes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  tokenHash: text('token_hash').notNull().unique('email_changes_token_hash_unique'),
  expiresAt: moment('expires_at').notNull(),
});

/** A login from a device that is not listed is mailed to the owner. */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the account plus the browser's random cookie, or plus a program's name and address. */
    keyHash: text('key_hash').notNull(),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.keyHash] })],
);

export const images = pgTable(
  'images',
  {
    /** UUID v7: later uploads sort higher. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Id of the image, possibly deleted, whose bytes it shares; null if they are stored under its own id. */
    contentId: uuid('content_id'),
    linkKey: text('link_key').notNull().unique('images_link_key_unique'),
    uploadKey: text('upload_key'),
    filename: text('filename').notNull(),
    description: text('description').notNull().default(''),
    /** Filename and description, folded (server/images/search-name.ts). */
    searchName: text('search_name').notNull(),
    /** Sorts names: numbers of up to ten digits by value. */
    nameKey: byLetters('name_key').notNull().generatedAlwaysAs(sql`name_order(search_name)`),
    /** From the detected type, without the dot. */
    extension: text('extension').notNull(),
    contentType: text('content_type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** Pixels as displayed, after orientation. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Thumbhash, base64. */
    placeholder: text('placeholder').notNull(),
    camera: text('camera'),
    /** Whether a screen rendition replaces an original that browsers cannot show. */
    hasScreen: boolean('has_screen').notNull().default(false),
    thumbnailSha256: text('thumbnail_sha256'),
    screenSha256: text('screen_sha256'),
    /** Null until rendered, or if AVIF would not save enough. */
    thumbnailAvifSha256: text('thumbnail_avif_sha256'),
    screenAvifSha256: text('screen_avif_sha256'),
    renditionsDue: boolean('renditions_due').notNull().default(true),
    /** Sensitive metadata of the original (locations, serial numbers); null until it is checked. */
    traces: text('traces', { enum: ['none', 'removable', 'unreadable'] }),
    redaction: jsonb('redaction').$type<Redaction>(),
    /** Since when its public links are closed; the owner still sees it. */
    hiddenAt: moment('hidden_at'),
    hiddenReason: text('hidden_reason'),
    /** Its links answer 451 instead of 404. */
    hiddenLegal: boolean('hidden_legal').notNull().default(false),
    /** Whether it is hidden until its owner admits it: a guest of a collect link added it. Never true unless hidden. */
    waiting: boolean('waiting').notNull().default(false),
    /** If true, a plain original counts as damage. Set after sealed bytes are synced, cleared before plain ones. */
    sealed: boolean('sealed').notNull().default(false),
    renditionsSealed: boolean('renditions_sealed').notNull().default(false),
    uploadedAt: moment('uploaded_at').notNull().defaultNow(),
    /** When its links end and the sweep deletes it; null for never. */
    expiresAt: moment('expires_at'),
    /** SHA-256 of its delete link's key: the table does not reveal the key. */
    deleteHash: text('delete_hash'),
  },
  (table) => [
    index('images_owner_newest').on(table.ownerId, table.uploadedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // In the order of languages (server/gallery/order.ts).
    index('images_owner_name').on(table.ownerId, sql`${table.nameKey} COLLATE "names"`, table.id),
    index('images_owner_name_ar').on(table.ownerId, sql`${table.nameKey} COLLATE "names_ar"`, table.id),
    index('images_owner_size').on(table.ownerId, table.size, table.id),
    index('images_owner_content').on(table.ownerId, table.sha256),
    uniqueIndex('images_upload_key').on(table.ownerId, table.uploadKey).where(sql`${table.uploadKey} is not null`),
    index('images_content').on(table.contentId).where(sql`${table.contentId} is not null`),
    check('images_waiting_hidden', sql`not ${table.waiting} or ${table.hiddenAt} is not null`),
    index('images_hidden').on(table.ownerId, table.id).where(sql`${table.hiddenAt} is not null`),
    index('images_renditions_due').on(table.id).where(sql`${table.renditionsDue}`),
    index('images_expires_at').on(table.expiresAt, table.id).where(sql`${table.expiresAt} is not null`),
    index('images_owner_expires_at')
      .on(table.ownerId, table.expiresAt, table.id)
      .where(sql`${table.expiresAt} is not null`),
    uniqueIndex('images_delete_hash').on(table.deleteHash).where(sql`${table.deleteHash} is not null`),
    /** Every search reads the whole pending list, so it is limited to 256 kB. */
    index('images_name_trigrams')
      .using('gin', sql`name_trigrams(${table.ownerId}, ${table.searchName})`)
      .with({ gin_pending_list_limit: 256 }),
  ],
);

/** Links of images that expired. They answer 410 instead of 404 for a while after their images are deleted. */
export const endedLinks = pgTable(
  'ended_links',
  {
    linkKey: text('link_key').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    endedAt: moment('ended_at').notNull().defaultNow(),
  },
  (table) => [index('ended_links_owner').on(table.ownerId), index('ended_links_ended_at').on(table.endedAt)],
);

/** Names that lead to an image, and that their owners can point at another image. */
export const stableLinks = pgTable(
  'stable_links',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In lower case (server/stable-links/names.ts). */
    name: text('name').notNull().unique('stable_links_name_unique'),
    /** Null after the image was deleted: the name stays its owner's. */
    imageId: uuid('image_id').references(() => images.id, { onDelete: 'set null' }),
    /** When its image was deleted after it had expired. It then answers 410 instead of 404 for a while. */
    endedAt: moment('ended_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    changedAt: moment('changed_at').notNull().defaultNow(),
  },
  (table) => [
    index('stable_links_owner').on(table.ownerId),
    index('stable_links_image').on(table.imageId).where(sql`${table.imageId} is not null`),
  ],
);

/** Images in interval `place` since 1970, 2^span ms long. Spans: 63 (all time), 30 (12 days), 20 (17 minutes). */
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

/** Positions leave gaps (server/albums/positions.ts). */
export const albums = pgTable(
  'albums',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    searchName: text('search_name').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    linkKey: text('link_key').unique('albums_link_key_unique'),
    /** of its public page */
    linkViews: bigint('link_views', { mode: 'number' }).notNull().default(0),
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
    ownerId: uuid('owner_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    isCover: boolean('is_cover').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.albumId, table.imageId] }),
    index('album_images_position').on(table.ownerId, table.albumId, table.position, table.imageId),
    index('album_images_image').on(table.imageId),
    uniqueIndex('album_images_cover').on(table.albumId).where(sql`${table.isCover}`),
  ],
);

/** Links to a selection of images or to an album (server/shares/). An ended one stays for a while, so that it answers 410. */
export const shares = pgTable(
  'shares',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull().unique('shares_key_unique'),
    /** Chosen by its owner, in lower case; never in the form of a key. */
    shortName: text('short_name').unique('shares_short_name_unique'),
    /** Whether its owner agreed that the short name works without a password. */
    guessable: boolean('guessable').notNull().default(false),
    name: text('name').notNull(),
    /** The album that it shows, with what is added later; null for a selection (share_images). */
    albumId: uuid('album_id').references(() => albums.id, { onDelete: 'cascade' }),
    passwordHash: text('password_hash'),
    /** Whether visitors get originals; otherwise renditions only. */
    originals: boolean('originals').notNull().default(true),
    /** Whether visitors see filenames and descriptions. */
    details: boolean('details').notNull().default(true),
    /** Whether visitors can download everything as a ZIP file. */
    download: boolean('download').notNull().default(true),
    expiresAt: moment('expires_at'),
    /** When its owner ended it. */
    endedAt: moment('ended_at'),
    /** How often its page was opened. */
    views: bigint('views', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('shares_owner').on(table.ownerId, table.createdAt, table.id),
    index('shares_album').on(table.albumId).where(sql`${table.albumId} is not null`),
    index('shares_expires_at').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    index('shares_ended_at').on(table.endedAt).where(sql`${table.endedAt} is not null`),
  ],
);

/** Names of links that are gone. Nobody but their former owner gets them for 90 days: printed addresses lead to no stranger. */
export const heldNames = pgTable(
  'held_names',
  {
    id: uuid('id').primaryKey(),
    /** `share`: a short name. `stable-link`: of a deleted account. */
    kind: text('kind', { enum: ['share', 'stable-link'] }).notNull(),
    name: text('name').notNull(),
    /** The account may have been deleted since. */
    ownerId: uuid('owner_id').notNull(),
    /** When the link ended. Triggers write the rows. */
    freedAt: moment('freed_at').notNull(),
  },
  (table) => [
    uniqueIndex('held_names_name').on(table.kind, table.name),
    index('held_names_owner').on(table.ownerId, table.freedAt),
    index('held_names_freed_at').on(table.freedAt),
  ],
);

/** The images of a selection. */
export const shareImages = pgTable(
  'share_images',
  {
    shareId: uuid('share_id')
      .notNull()
      .references(() => shares.id, { onDelete: 'cascade' }),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id').notNull(),
    /** From 1. */
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shareId, table.imageId] }),
    index('share_images_position').on(table.shareId, table.position, table.imageId),
    index('share_images_image').on(table.imageId),
    index('share_images_owner').on(table.ownerId),
  ],
);

/** Links with which guests add images to an album (server/collect/). An ended one stays for a while, so that it answers 410. */
export const collectLinks = pgTable(
  'collect_links',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull().unique('collect_links_key_unique'),
    name: text('name').notNull(),
    albumId: uuid('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    passwordHash: text('password_hash'),
    /** Increases with each new password: guests who gave an earlier one must give the new one. */
    passwordVersion: integer('password_version').notNull().default(0),
    /** Whether guests see the album; otherwise only their own images. */
    open: boolean('open').notNull(),
    /** Whether guests must give a name. */
    asksName: boolean('asks_name').notNull(),
    /** Whether images wait until the owner admits them. */
    lookFirst: boolean('look_first').notNull(),
    maxFiles: integer('max_files').notNull(),
    maxBytes: bigint('max_bytes', { mode: 'number' }).notNull(),
    expiresAt: moment('expires_at'),
    /** When its owner ended it. */
    endedAt: moment('ended_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('collect_links_owner').on(table.ownerId, table.createdAt, table.id),
    index('collect_links_album').on(table.albumId),
    index('collect_links_expires_at').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    index('collect_links_ended_at').on(table.endedAt).where(sql`${table.endedAt} is not null`),
  ],
);

export const collectGuests = pgTable(
  'collect_guests',
  {
    id: uuid('id').primaryKey(),
    linkId: uuid('link_id')
      .notNull()
      .references(() => collectLinks.id, { onDelete: 'cascade' }),
    /** SHA-256 of the cookie: the table does not reveal it. */
    tokenHash: text('token_hash').notNull().unique('collect_guests_token_hash_unique'),
    /** Null if the link did not ask for it. */
    name: text('name'),
    /** The version of the password that the guest gave. */
    passwordVersion: integer('password_version').notNull(),
    /** When the cookie ends. The row stays as long as the guest's images. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('collect_guests_link').on(table.linkId), index('collect_guests_expires_at').on(table.expiresAt)],
);

/** Images that guests added. */
export const collectedImages = pgTable(
  'collected_images',
  {
    imageId: uuid('image_id')
      .primaryKey()
      .references(() => images.id, { onDelete: 'cascade' }),
    linkId: uuid('link_id')
      .notNull()
      .references(() => collectLinks.id, { onDelete: 'cascade' }),
    guestId: uuid('guest_id')
      .notNull()
      .references(() => collectGuests.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id').notNull(),
    /** As the guest sent it: the owner may rename the image. */
    filename: text('filename').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** False until the owner has admitted an image that waits, also while the administrator hides it. */
    admitted: boolean('admitted').notNull(),
  },
  (table) => [
    index('collected_images_link').on(table.linkId),
    index('collected_images_guest').on(table.guestId, table.imageId),
  ],
);

/** Keys for programs. The secret itself is not stored. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull().unique('api_tokens_secret_hash_unique'),
    /** The secret's first characters, by which its owner recognizes it. */
    start: text('start').notNull(),
    scopes: text('scopes').array().notNull(),
    /** The only album it sees. It ends with the album, so that it never sees more. */
    albumId: uuid('album_id').references(() => albums.id, { onDelete: 'cascade' }),
    /** How long its uploads exist, for example `7d`; null for ever. */
    imagesExpireIn: text('images_expire_in'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    /** Last use, to within five minutes, and the program's name. */
    usedAt: moment('used_at'),
    usedBy: text('used_by'),
  },
  (table) => [
    index('api_tokens_owner').on(table.ownerId),
    index('api_tokens_album').on(table.albumId).where(sql`${table.albumId} is not null`),
    index('api_tokens_expires_at').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
);

/** Written before the bytes and deleted after them, so that the sweep finds what killed processes leave. */
export const orphanedBlobs = pgTable('orphaned_blobs', {
  /** The content's id (`images.content_id`). */
  imageId: uuid('image_id').primaryKey(),
  extension: text('extension').notNull(),
  /** The number in the process registry (server/database/process-registry.ts). */
  process: bigint('process', { mode: 'bigint' }).notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Contents whose background renditions a process is making, or has failed to make. */
export const renditionAttempts = pgTable('rendition_attempts', {
  /** The content's id (`images.content_id`). */
  contentId: uuid('content_id').primaryKey(),
  tries: smallint('tries').notNull(),
  /** Until when a process works on it; null after a failure. */
  leasedUntil: moment('leased_until'),
  /** When any process may try it next. */
  nextAt: moment('next_at').notNull(),
});

/** Work that one process does for all of them. No other process begins it before its lease expires. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
});

/** Resumable uploads (tus). The row stays until it expires, so that clients can still read the outcome. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    filename: text('filename').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** Bytes received and synced. */
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    /** The API token that opened it, the only one that may continue it; null for a session. */
    tokenId: uuid('token_id'),
    /** The guest of a collect link who opened it, the only one who may continue it; null for an account. */
    guestId: uuid('guest_id'),
    /** The album that its image is put into. */
    albumId: uuid('album_id'),
    /** How long its image exists, for example `7d`; null for ever. */
    expiresIn: text('expires_in'),
    /** Whether its image gets a delete link. */
    deleteLink: boolean('delete_link').notNull().default(false),
    /** The upload key of its image. */
    uploadKey: text('upload_key'),
    /** Where the received bytes are (server/storage/partials.ts); empty for uploads of an earlier version. */
    pieces: text('pieces').array().notNull().default([]),
    /** The stored image, which may have been deleted since. */
    imageId: uuid('image_id'),
    refusal: jsonb('refusal').$type<{ code: string; message: string }>(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('uploads_owner').on(table.ownerId), index('uploads_expires_at').on(table.expiresAt)],
);

/**
 * What happened, and who did it. Triggers refuse all changes but the deletion of old addresses, and of the entries that an
 * entry `audit.trimmed` of the same transaction names.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    /** UUID v7: later entries sort higher. */
    id: uuid('id').primaryKey(),
    at: moment('at').notNull().defaultNow(),
    /** What happened, for example `login.failed` (server/audit/actions.ts). */
    action: text('action').notNull(),
    /** Who did it; null for a stranger, and for the server itself. The account may have been deleted since. */
    actorId: uuid('actor_id'),
    /** The name of the actor at that time. `command line` for an administrator's command. */
    actor: text('actor').notNull(),
    /** The account that it concerns; null if it concerns none. */
    accountId: uuid('account_id'),
    account: text('account'),
    details: jsonb('details').$type<Record<string, string | number | boolean | null>>().notNull(),
    /** Null for commands, and after 30 days. */
    address: text('address'),
  },
  (table) => [
    index('audit_log_account').on(table.accountId, table.id),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.id),
    index('audit_log_address').on(table.at).where(sql`${table.address} is not null`),
    index('audit_log_email').on(
      sql`coalesce(${table.details} ->> 'email_key', lower(${table.details} ->> 'email'))`,
      table.id,
    ),
  ],
);

/** Runs of the doctor and of backups, by command or from the page. */
export const adminJobs = pgTable(
  'admin_jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['doctor', 'backup'] }).notNull(),
    /** Who started it. */
    actor: text('actor').notNull(),
    state: text('state', { enum: ['waiting', 'running', 'done', 'failed'] }).notNull(),
    /** What it has done so far, and of how much. */
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    total: bigint('total', { mode: 'number' }),
    step: text('step'),
    /** What it found, or why it failed. */
    result: jsonb('result'),
    createdAt: moment('created_at').notNull().defaultNow(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
    /** Until when the process that runs it is believed to live. */
    leasedUntil: moment('leased_until'),
  },
  (table) => [index('admin_jobs_kind').on(table.kind, table.id)],
);

/** One row. The ownership marker of the storage contains the same id. */
export const installation = pgTable('installation', {
  id: uuid('id').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Ids of all keys that may have sealed bytes; the server needs each of them to start. */
  sealedBy: text('sealed_by').array().notNull().default([]),
});

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
export type CollectLinkRow = typeof collectLinks.$inferSelect;
export type CollectGuestRow = typeof collectGuests.$inferSelect;
export type ApiTokenRow = typeof apiTokens.$inferSelect;
export type ShareRow = typeof shares.$inferSelect;
export type StableLinkRow = typeof stableLinks.$inferSelect;
export type AlbumRow = typeof albums.$inferSelect;
export type InviteRow = typeof invites.$inferSelect;
export type IdentityRow = typeof identities.$inferSelect;
export type PasskeyRow = typeof passkeys.$inferSelect;
export type AuditRow = typeof auditLog.$inferSelect;
export type AdminJobRow = typeof adminJobs.$inferSelect;
export type OrphanedBlobRow = typeof orphanedBlobs.$inferSelect;
