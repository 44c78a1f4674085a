import { en } from './en-shell.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
