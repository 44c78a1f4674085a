import type { Forbidden } from '../cage/check.ts';
import type { DecodeFailure } from '../core/failure.ts';
import type { DecodeLimits } from '../core/limits.ts';
import type { SensitiveMetadata } from '../metadata/find.ts';

export type Decoded = {
  contentType: string;
  extension: string;
  /** px as displayed, after orientation. */
  width: number;
  height: number;
  placeholder: string;
  /** The camera model, one line; null if the file has none. */
  camera: string | null;
  /** WebP, at most 480 px on the long side, sRGB, upright, without metadata. */
  thumbnail: Buffer;
  /** WebP, at most 1600 px on the long side; if requested or if browsers cannot show the original upright. */
  screen: Buffer | undefined;
  /** AVIF versions, if requested and at least a fifth smaller. */
  thumbnailAvif: Buffer | undefined;
  screenAvif: Buffer | undefined;
} & SensitiveMetadata;

/** In the order of their bytes in a reply. */
export const RENDITIONS = ['thumbnail', 'screen', 'thumbnailAvif', 'screenAvif'] as const;

export type Wanted = { screen?: boolean; avif?: boolean };

export type Outcome = { ok: true; image: Decoded } | { ok: false; failure: DecodeFailure };

/** `check` requests what the decoder can reach but must not (cage/check.ts). */
export type ToWorker =
  | { type: 'decode'; path: string; limits: DecodeLimits; wanted: Wanted }
  | { type: 'grant' }
  | { type: 'check'; forbidden: Forbidden };

/** A disk error as it is passed between processes. */
type Fault = { message: string; code: FaultCode; syscall: string };

/** Errors of reading the input. A full disk is not among them: decoders write nothing. */
export const FAULT_CODES = ['EACCES', 'EIO', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOMEM'] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/**
 * `need` requests memory and a time limit before decoding; `read` allows the next picture into the slot while this one's
 * renditions are made; `fault` reports a failure not caused by the picture.
 */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'checked'; reachable: string[] }
  | { type: 'need'; memory: number; timeoutMs: number }
  | { type: 'read' }
  | { type: 'done'; outcome: Outcome }
  | { type: 'fault'; fault: Fault };
