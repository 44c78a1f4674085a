/** What is assumed of users, machines and prices. Each is a guess that a reader may replace by what is known to them. */

/** Of one account, as of 2026-11-22: somebody who keeps the pictures of a telephone, and shows some of them. */
export const user = {
  /** Pictures uploaded in a month, and bytes of one: a photograph of 12 megapixels. */
  uploads: 40,
  /** Months for which pictures have been kept: what the storage and the tables must hold. */
  months: 36,
  /** Pages of the gallery opened, searches among them. */
  lists: 120,
  /** Thumbnails that the browser has not kept from an earlier visit: a third of the 24 of a page. */
  thumbnails: 120 * 8,
  /** Pictures opened whole on a screen, by the owner or by who got a link. */
  screens: 200,
  /** Originals fetched. */
  originals: 10,
};

/** Calls in the busiest hour, against the mean of the month; and how full a processor may be then. */
export const peak = 4;
export const fullness = 0.6;

/** What one engine carries before the next one takes over: common machines to rent in 2026, and habits of the trade. */
export const limits = {
  /** Cores of a common machine. */
  cores: 8,
  /** Cores and bytes of memory of the largest single Postgres that is still ordinary. */
  databaseCores: 64,
  databaseMemory: 512e9,
  /** Bytes of one table and its indexes, beyond which vacuum and index builds take days. */
  table: 2e12,
  /** Rows written a second with their log synced and sent to a standby. */
  transactions: 20_000,
  /** Sessions of Postgres before a pooler (PgBouncer) pays. */
  sessions: 400,
  /** Bits a second of one proxy, each way. */
  proxyBits: 10e9,
  /** Objects in one bucket that can still be listed in a night. */
  objects: 5e9,
  /** Bytes on the disks of one machine. */
  disk: 20e12,
};

/** US dollars a month, list prices without a discount as they were about in November 2026. */
export const prices = {
  /** One core of a server with 4 GB of memory. */
  core: 25,
  /** One core of a database server with 8 GB, its standby not counted. */
  databaseCore: 60,
  /** A gigabyte of the database's disk. */
  databaseGigabyte: 0.12,
  /** A gigabyte of object storage, and a million of its writes and reads. */
  storedGigabyte: 0.02,
  millionWrites: 5,
  millionReads: 0.4,
  /** A gigabyte sent to readers, straight and by a CDN. */
  sentGigabyte: 0.05,
  deliveredGigabyte: 0.01,
};

/** The share of what readers fetch that a CDN has, where there is one. */
export const deliveredByCdn = 0.9;

/** Connections of one process: its pool, and its sessions straight to the database. */
export const connections = { pool: 10, direct: 2 };

/** Objects in the storage for one image: the original, and its renditions in two sizes and two formats. */
export const objectsEach = 5;

/** Of the accounts, those that come on one day: their rows and index pages are what memory must hold. */
export const activeADay = 0.15;

/** Of the processor time of an upload, what the server's own thread takes; the rest is its decoders'. */
export const serverShare = 0.23;

/** What a decoder takes of a core beside the server: Linux' weights of its niceness (5 before an answer, 19 behind it) and of 0. */
export const decoderWeight = { asked: 335 / 1024, ahead: 15 / 1024 };
