/** An image's link as the markup of the places where people paste it. */
export interface Code {
  readonly kind: 'link' | 'markdown' | 'html' | 'bbcode';
  readonly text: string;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>!]/gu, '\\$&');

export function codesFor({ url, filename }: { readonly url: string; readonly filename: string }): readonly Code[] {
  return [
    { kind: 'link', text: url },
    { kind: 'markdown', text: `![${escapeMarkdown(filename)}](${url})` },
    { kind: 'html', text: `<img src="${escapeHtml(url)}" alt="${escapeHtml(filename)}">` },
    { kind: 'bbcode', text: `[img]${url}[/img]` },
  ];
}
