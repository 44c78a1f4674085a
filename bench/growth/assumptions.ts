/** Assumptions about users, machines and prices: guesses that you can replace by your own figures. */

/** One account in a month, as of 2026-11-22: a person who keeps the pictures of a phone and shares some of them. */
export const user = {
  /** Pictures uploaded: photographs of 12 megapixels. */
  uploads: 40,
  /** Months for which pictures have been kept, which storage and tables must hold. */
  months: 36,
  /** Pages of the gallery opened, searches among them. */
  lists: 120,
  /** Thumbnails that the browser has not cached: a third of the 24 of a page. */
  thumbnails: 120 * 8,
  /** Pictures opened on a screen, by the owner or through a link. */
  screens: 200,
  originals: 10,
};

/** Factor of the busiest hour over the month's mean, and how full a processor may be then. */
export const peak = 4;
export const fullness = 0.6;

/** What one engine carries before the next one takes over: common rented machines in 2026, and rules of thumb. */
export const limits = {
  /** Cores of a common machine. */
  cores: 8,
  /** Cores and bytes of memory of the largest common single Postgres. */
  databaseCores: 64,
  databaseMemory: 512e9,
  /** Bytes of one table with its indexes; beyond this, vacuum and index builds take days. */
  table: 2e12,
  /** Transactions a second with the log synced and sent to a standby. */
  transactions: 20_000,
  /** Sessions of Postgres before a pooler (PgBouncer) pays. */
  sessions: 400,
  /** Bits a second of one proxy, in each direction. */
  proxyBits: 10e9,
  /** Objects in one bucket that can still be listed in a night. */
  objects: 5e9,
  /** Bytes on the disks of one machine. */
  disk: 20e12,
};

/** US dollars a month: approximate list prices in November 2026. */
export const prices = {
  /** A server core with 4 GB of memory. */
  core: 25,
  /** A database server core with 8 GB, without its standby. */
  databaseCore: 60,
  databaseGigabyte: 0.12,
  /** A gigabyte of object storage, a million writes and a million reads. */
  storedGigabyte: 0.02,
  millionWrites: 5,
  millionReads: 0.4,
  /** A gigabyte sent to readers, directly and by a CDN. */
  sentGigabyte: 0.05,
  deliveredGigabyte: 0.01,
};

/** The share of readers' traffic that a CDN serves. */
export const deliveredByCdn = 0.9;

/** Database connections of one process: its pool and its direct sessions. */
export const connections = { pool: 10, direct: 2 };

/** Stored objects per image: the original, and its renditions in two sizes and two formats. */
export const objectsEach = 5;

/** The share of accounts active on one day: memory must hold their rows and index pages. */
export const activeADay = 0.15;

/** The share of an upload's processor time that the server's own thread takes; its decoders take the rest. */
export const serverShare = 0.23;

/** A decoder's share of a core next to the server: Linux weights of niceness 0 (on request) and 19 (background) to 0. */
export const decoderWeight = { asked: 1, ahead: 15 / 1024 };
