import { en } from './en-usage.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
