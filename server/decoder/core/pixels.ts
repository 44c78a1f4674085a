/** 8-bit sRGB samples, row by row, alpha not premultiplied. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 };
