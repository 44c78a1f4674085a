import { locale } from '../text/texts.ts';

/** Facts of an image as people read them. */
const TYPES: Readonly<Record<string, string>> = { 'image/svg+xml': 'SVG', 'image/heic': 'HEIC', 'image/heif': 'HEIF' };

/** `image/jpeg` -> `JPEG`. */
export function formatType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPES[type] ?? (type.split('/')[1] ?? type).toUpperCase();
}

/** `3072 × 2048`, without grouping. */
export function formatDimensions(width: number, height: number): string {
  const number = new Intl.NumberFormat(locale, { useGrouping: false });
  return `${number.format(width)} × ${number.format(height)}`;
}

/** The local date of an ISO 8601 instant, as the language's reader writes dates. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleDateString(locale);
}

/** What stands for the picture where it is not seen: its description, or where nobody has written one, its name. */
export const altOf = ({
  description,
  filename,
}: {
  readonly description: string;
  readonly filename: string;
}): string => (description === '' ? filename : description);
