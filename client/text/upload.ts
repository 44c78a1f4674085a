import { en } from './en-upload.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
