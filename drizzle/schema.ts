import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

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
  },
  (table) => [index('sessions_user_id').on(table.userId), index('sessions_expires_at').on(table.expiresAt)],
);

export const images = pgTable(
  'images',
  {
    /** UUID v7: later uploads sort higher, also within a millisecond of one process. */
    id: uuid('id').primaryKey(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The random part of the public links: 128 bits, base64url. */
    linkKey: text('link_key').notNull().unique('images_link_key_unique'),
    filename: text('filename').notNull(),
    /** The filename folded (NFC, no case): what searches are compared with. */
    searchName: text('search_name').notNull(),
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
    /** Whether a screen-size rendition stands in for an original that browsers cannot show upright. */
    hasScreen: boolean('has_screen').notNull().default(false),
    uploadedAt: moment('uploaded_at').notNull().defaultNow(),
  },
  (table) => [
    index('images_owner_newest').on(table.ownerId, table.uploadedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('images_search_name_trigram').using('gin', sql`${table.searchName} gin_trgm_ops`),
  ],
);

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
