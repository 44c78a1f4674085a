import escaped from 'escape-html';

export type Language = 'en' | 'ar';
export type MailText = { subject: string; text: string; html: string };

type Letter = {
  subject: string;
  greeting: string;
  /** Paragraphs above the button: what happened. */
  before: string[];
  /** The button; its link may contain a secret. */
  link: { label: string; href: string };
  after: string[];
};

const orCopy: Record<Language, string> = {
  en: 'Or copy this link into your browser:',
  ar: 'أو انسخ هذا الرابط إلى متصفحك:',
};

const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;
export const textParagraph = (text: string) => paragraph(escaped(text));

export const directionOf = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');

/** A whole mail in HTML. @param parts of its body, in HTML */
export const mailPage = (language: Language, subject: string, parts: string[]): string =>
  [
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1815;background:#fff">',
    ...parts,
    '</body></html>',
  ].join('\n');

function htmlOf(language: Language, { subject, greeting, before, link, after }: Letter): string {
  const href = escaped(link.href);
  const style =
    'display:inline-block;padding:12px 20px;border-radius:10px;background:#eb6621;color:#1f0d03;font-weight:600';
  return mailPage(language, subject, [
    ...[greeting, ...before].map(textParagraph),
    paragraph(`<a href="${href}" style="${style}">${escaped(link.label)}</a>`),
    paragraph(
      `${escaped(orCopy[language])}<br><a href="${href}" dir="ltr" style="color:#a33a05;word-break:break-all">${href}</a>`,
    ),
    ...after.map(textParagraph),
  ]);
}

export function mailOf(language: Language, letter: Letter): MailText {
  const { subject, greeting, before, link, after } = letter;
  const lines = [greeting, ...before, `${link.label}:\n${link.href}`, ...after];
  return { subject, text: `${lines.join('\n\n')}\n`, html: htmlOf(language, letter) };
}

/** Isolates a name from the text direction around it. */
export const isolated = (name: string) => `\u2068${name}\u2069`;

/** `2026-11-24 09:05 UTC` */
export const inUtc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
