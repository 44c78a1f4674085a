/** Links in the markups that people paste, as on the page (client/image/embed-codes.ts). */

export const formats = ['link', 'md', 'html', 'bbcode'] as const;
export type Format = (typeof formats)[number];

type Shown = { url: string; filename: string; description: string };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>!]/gu, '\\$&');

export function inFormat(format: Format, { url, filename, description }: Shown): string {
  const alt = description || filename;
  if (format === 'md') return `![${escapeMarkdown(alt)}](${url})`;
  if (format === 'html') return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`;
  if (format === 'bbcode') return `[img]${url}[/img]`;
  return url;
}
