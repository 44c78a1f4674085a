import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The form stored in the database. Tokens are random, so a fast hash is enough. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
