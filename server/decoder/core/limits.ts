/**
 * Limits for one picture. `maxHeavyPixels` is for AVIF and HEIC, whose decoders need ten times the memory of the
 * others; `timeoutMs` is processor time, counted from when the picture may use its memory.
 */
export type DecodeLimits = { maxPixels: number; maxHeavyPixels: number; timeoutMs: number };

/** The limit that the contract sets for AVIF and HEIC: it includes an iPhone's 48 million. */
const HEAVY_PIXELS = 50_000_000;

export const decodeLimits = (maxPixels: number, timeoutMs = 30_000): DecodeLimits => ({
  maxPixels,
  maxHeavyPixels: Math.min(HEAVY_PIXELS, maxPixels),
  timeoutMs,
});

/** Pixels of all frames of a WebP, or pages of a TIFF: at about 150 million a second, the usual limit takes 7 s. */
export const pixelsTogether = (limits: DecodeLimits) => 10 * limits.maxPixels;

/** References in an SVG can multiply without bound; legitimate ones need far less processor time. */
export const SVG_TIMEOUT_MS = 3000;

/** Pages of a TIFF; finding a page takes time that grows with its number. */
export const MAX_PAGES = 200;

/** Bytes that heavy pictures may use together; one that needs more is decoded alone. */
export const MEMORY_BUDGET = 144 * 1024 * 1024;

/** Bytes below which a picture does not wait for others. */
export const LIGHT = 24 * 1024 * 1024;

/** Resident bytes above which a worker is killed. */
export const MEMORY_BOUND = 1536 * 1024 * 1024;

/** Bytes of available memory that no picture gets: when memory runs out, Linux kills one process after another. */
export const MEMORY_RESERVE = 64 * 1024 * 1024;

/** Resident bytes above which a worker is stopped when memory is short. */
export const HEAVY = 160 * 1024 * 1024;

/**
 * Resident bytes by which a worker may grow before it is replaced, because memory returns late. Photographs add 16 to 22
 * MiB to the 61 to 71 MiB that a worker has at its start, depending on the version of Node.
 */
export const GROWTH_KEPT = 32 * 1024 * 1024;

/** Spans of a redaction. Real files need about 15; above the limit, sensitive metadata counts as unreadable. */
export const MAX_PATCHES = 4096;

/** Replacement bytes of a redaction: checksums, digests, recompressed texts. Real files need less than 1 KB. */
export const MAX_PATCHED = 64 * 1024;

/**
 * Bytes for pictures whose memory the header determines. JPEG: 70 million pixels if progressive without subsampling,
 * 105 with. PNG: 42 million if interlaced with 16 bits and transparency, 111 if plain. SVG: 26 million with 8 bits, 19
 * with 16.
 */
export const MAX_HELD = { jpeg: 400 * 1024 * 1024, png: 320 * 1024 * 1024, svg: 256 * 1024 * 1024 };
