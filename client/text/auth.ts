import { en } from './en-auth.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
