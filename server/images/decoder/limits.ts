/**
 * What a picture may cost. `maxHeavyPixels` holds for AVIF and HEIC, whose decoders need ten times the memory of the
 * others; `timeoutMs` is for one picture, from the moment it may use the memory it needs.
 */
export type DecodeLimits = { maxPixels: number; maxHeavyPixels: number; timeoutMs: number };

/** All frames of an animation together: at some 150 million pixels a second, five times the still limit takes 4 s. */
export const animationPixels = (limits: DecodeLimits) => 5 * limits.maxPixels;

/** Pages of a TIFF; finding a page takes time that grows with its number. */
export const MAX_PAGES = 200;

/** Bytes that the pictures being decoded may be expected to hold together; one that needs more is refused. */
export const MEMORY_BUDGET = 640 * 1024 * 1024;

/** A picture expected to hold less than this does not wait for others. */
export const LIGHT = 64 * 1024 * 1024;

/** Resident bytes of a worker, whatever was expected, beyond which it is killed. */
export const MEMORY_BOUND = 1536 * 1024 * 1024;

/** Resident bytes after which an idle worker is replaced: the C library and WebAssembly give memory back late. */
export const MEMORY_KEPT = 256 * 1024 * 1024;
