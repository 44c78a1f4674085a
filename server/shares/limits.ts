import { Type } from 'typebox';
import { perAddress } from '../http/limits/rate-limit.ts';

/** Of the pages and archives of shares together: more than people open, and too few to guess many short names. */
export const opening = perAddress('share', 240, 60_000);

export const KeyParams = Type.Object({ key: Type.String() });
