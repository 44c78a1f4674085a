import { en } from './en-gallery.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
