import { locale } from '../text/words.ts';

/** Types whose common name is not the upper-case subtype. */
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

/** Formats an ISO 8601 instant as a local date in the language's format. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleDateString(locale);
}

/** The alternative text: the description, or the filename if there is none. */
export const altOf = ({
  description,
  filename,
}: {
  readonly description: string;
  readonly filename: string;
}): string => (description === '' ? filename : description);
