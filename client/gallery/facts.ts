/** Facts of an image as people read them. */
const TYPES: Readonly<Record<string, string>> = { 'image/svg+xml': 'SVG', 'image/heic': 'HEIC', 'image/heif': 'HEIF' };

/** `image/jpeg` -> `JPEG`. */
export function formatType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPES[type] ?? (type.split('/')[1] ?? type).toUpperCase();
}

/** `3072 × 2048`, without grouping. */
export const formatDimensions = (width: number, height: number): string => `${width} × ${height}`;

/** The local date of an ISO 8601 instant, as the reader's browser writes dates. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleDateString();
}
