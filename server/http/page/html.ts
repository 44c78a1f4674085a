/** HTML as a value: strings put into a template are escaped, HTML values are not. */
import escapeHtml from 'escape-html';

export type Html = { readonly html: string };

type Piece = Html | string | number | undefined | readonly Html[];

function textOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (typeof piece !== 'object') return escapeHtml(String(piece));
  return 'html' in piece ? piece.html : piece.map(({ html }) => html).join('');
}

/** Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return { html: parts.map((part, index) => part + textOf(pieces[index])).join('') };
}
