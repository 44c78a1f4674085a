import type { Forbidden } from '../cage/check.ts';
import type { DecodeFailure } from '../core/failure.ts';
import type { DecodeLimits } from '../core/limits.ts';
import type { SensitiveMetadata } from '../metadata/find.ts';

/** A picture that was decoded whole, and what was made from it. */
export type Decoded = {
  contentType: string;
  /** Without a dot. */
  extension: string;
  /** px as displayed, after orientation. */
  width: number;
  height: number;
  /** thumbhash, base64. */
  placeholder: string;
  /** Which one took it, in one line; null where the file does not say. */
  camera: string | null;
  /** WebP, 480 px on the long side at most, sRGB, upright, without metadata. */
  thumbnail: Buffer;
  /** WebP, 1600 px on the long side at most; where it was wanted, and of originals that browsers cannot show, or show sideways. */
  screen: Buffer | undefined;
  /** Both as AVIF, where that was wanted and saves a fifth of the bytes. */
  thumbnailAvif: Buffer | undefined;
  screenAvif: Buffer | undefined;
} & SensitiveMetadata;

/** In the order in which their bytes follow a reply. */
export const RENDITIONS = ['thumbnail', 'screen', 'thumbnailAvif', 'screenAvif'] as const;

/** What to make beside the thumbnail: a WebP for the screen, and both as AVIF. */
export type Wanted = { screen?: boolean; avif?: boolean };

export type Outcome = { ok: true; image: Decoded } | { ok: false; failure: DecodeFailure };

/** `check` asks what the decoder can reach that it must not (cage/check.ts). */
export type ToWorker =
  | { type: 'decode'; path: string; limits: DecodeLimits; wanted: Wanted }
  | { type: 'grant' }
  | { type: 'check'; forbidden: Forbidden };

/** An error of the disk, as far as it passes from process to process. */
export type Fault = { message: string; code: FaultCode; syscall: string };

/** What reading its input can fail with. A full disk is not among them: a decoder writes nothing. */
export const FAULT_CODES = ['EACCES', 'EIO', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOMEM'] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/**
 * `need` asks for `memory` bytes before decoding, and says how long that may take; `fault` is a failure that is not the picture's, such as a lost file.
 */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'checked'; reachable: string[] }
  | { type: 'need'; memory: number; timeoutMs: number }
  | { type: 'done'; outcome: Outcome }
  | { type: 'fault'; fault: Fault };
