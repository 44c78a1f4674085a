import {
  DamagedImage,
  EmptyFile,
  FileTooLarge,
  NotAnImage,
  QuotaExceeded,
  TooManyPixels,
  TooMuchMemory,
} from '../errors.ts';

/** Why the server does not store a file. */
export const refusalsOfFiles = [
  NotAnImage,
  EmptyFile,
  DamagedImage,
  TooManyPixels,
  TooMuchMemory,
  FileTooLarge,
  QuotaExceeded,
];

/** An error of the request, not of the server: a retry would fail again. */
export type Refusal = Error & { code: string; statusCode: number };

export function isRefusal(error: unknown): error is Refusal {
  const { statusCode } = (error ?? {}) as { statusCode?: number };
  return typeof statusCode === 'number' && statusCode < 500;
}
