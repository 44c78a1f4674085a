import { Type } from 'typebox';
import { perAddress } from '../http/limits/rate-limit.ts';

const minute = 60_000;

/** Guests at one place share an address. */
export const looking = perAddress('collect', 600, minute);
/** The calls of the guests who are in do not use it up. */
export const opening = perAddress('collect-page', 600, minute);
/** Each may store a row. */
export const entering = perAddress('collect-guest', 60, minute);
/** Forms have up to 100 files each. */
export const sending = perAddress('collect-upload', 600, minute);
export const removing = perAddress('collect-removal', 600, minute);

export const KeyParams = Type.Object({ key: Type.String() });
export const ImageParams = Type.Object({ key: Type.String(), code: Type.String() });
