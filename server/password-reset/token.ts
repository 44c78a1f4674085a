import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of it. It is as random as its hash, so that none slower is needed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
