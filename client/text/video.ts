import { en } from './en-video.ts';
import { pick } from './language.ts';

export const texts = pick({ en });
