import { Type } from 'typebox';

export const uuidPattern = '^[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}$';

export const ImageId = Type.String({ pattern: uuidPattern });

/** In lower case and without duplicates, in the given order. */
export const eachOnce = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
