/**
 * What a picture may cost. `maxHeavyPixels` holds for AVIF and HEIC, whose decoders need ten times the memory of the
 * others; `timeoutMs` is processor time for one picture, from the moment it may use the memory it needs.
 */
export type DecodeLimits = { maxPixels: number; maxHeavyPixels: number; timeoutMs: number };

/** What the contract grants AVIF and HEIC, which cost ten times the memory of other formats for a pixel. */
const HEAVY_PIXELS = 30_000_000;

export const decodeLimits = (maxPixels: number, timeoutMs = 30_000): DecodeLimits => ({
  maxPixels,
  maxHeavyPixels: Math.min(HEAVY_PIXELS, maxPixels),
  timeoutMs,
});

/** All frames of an animation together: at some 150 million pixels a second, five times the still limit takes 4 s. */
export const animationPixels = (limits: DecodeLimits) => 5 * limits.maxPixels;

/** A drawing's references may multiply without end; none that is meant to be looked at takes the processor this long. */
export const SVG_TIMEOUT_MS = 3000;

/** Pages of a TIFF; finding a page takes time that grows with its number. */
export const MAX_PAGES = 200;

/** Bytes that heavy pictures being decoded may be expected to hold together; one that needs more is decoded alone. */
export const MEMORY_BUDGET = 144 * 1024 * 1024;

/** A picture expected to hold less than this does not wait for others. */
export const LIGHT = 24 * 1024 * 1024;

/** Resident bytes of a worker, whatever was expected, beyond which it is killed. */
export const MEMORY_BOUND = 1536 * 1024 * 1024;

/**
 * Bytes of the memory that the machine, or the control group that the server is in, has left, which no picture is given:
 * where it runs out, Linux ends a process, and while that one's memory is not back yet, the next.
 */
export const MEMORY_RESERVE = 64 * 1024 * 1024;

/** Resident bytes of a worker from which on it is one that has to stop where memory is short. */
export const HEAVY = 160 * 1024 * 1024;

/** Resident bytes after which an idle worker is replaced (70 at its start, 79 after photographs): memory comes back late. */
export const MEMORY_KEPT = 88 * 1024 * 1024;

/** Spans of a redaction. Real files need some 15; beyond this bound, traces count as unreadable. */
export const MAX_PATCHES = 4096;

/** Bytes that a redaction brings: checksums, digests, texts that are packed again. Real files need less than 1 KB. */
export const MAX_PATCHED = 64 * 1024;

/**
 * Bytes that one picture may hold where its header tells exactly: 70 million pixels of a progressive JPEG without
 * subsampling (105 with), 42 million of an interlaced PNG with 16 bits and transparency (111 of a plain one); of
 * the pictures inside an SVG 26 million with 8 bits, 19 with 16.
 */
export const MAX_HELD = { jpeg: 400 * 1024 * 1024, png: 320 * 1024 * 1024, svg: 256 * 1024 * 1024 };
