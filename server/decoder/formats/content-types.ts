export type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff' | 'svg' | 'heic';

/** How originals are served. Extensions have no dot. */
export const CONTENT_TYPES: Record<Format, { contentType: string; extension: string }> = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  avif: { contentType: 'image/avif', extension: 'avif' },
  tiff: { contentType: 'image/tiff', extension: 'tiff' },
  svg: { contentType: 'image/svg+xml', extension: 'svg' },
  heic: { contentType: 'image/heic', extension: 'heic' },
};
