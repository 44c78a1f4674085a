import { en } from './en-api.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
