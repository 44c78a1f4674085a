import { altOf } from './facts.ts';

/** An image's link in one of the markups that people paste. */
export interface Code {
  readonly kind: 'link' | 'markdown' | 'html' | 'bbcode';
  readonly text: string;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>!]/gu, '\\$&');

interface Shared {
  readonly url: string;
  readonly filename: string;
  readonly description: string;
}

export function codesFor(image: Shared): readonly Code[] {
  const { url } = image;
  const alt = altOf(image);
  return [
    { kind: 'link', text: url },
    { kind: 'markdown', text: `![${escapeMarkdown(alt)}](${url})` },
    { kind: 'html', text: `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">` },
    { kind: 'bbcode', text: `[img]${url}[/img]` },
  ];
}
