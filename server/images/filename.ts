/** The longest name kept, in UTF-16 units; what a form sends beyond is cut, its extension kept. */
const longest = 4096;

const escaped: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/**
 * What a form's filename stands for. Browsers escape these three characters and, of all, not the percent sign (HTML
 * Standard, multipart/form-data encoding algorithm): a quote in a name is real far more often than a literal `%22`.
 */
export function unescapeFormName(sent: string): string {
  return sent.replace(/%(?:22|0D|0A)/g, (code) => escaped[code] ?? code);
}

/**
 * A name as it was sent, its path and control characters cut off. Never a path, never a header: only ever a text.
 *
 * @param sent what the form said; may be empty
 * @returns a name of at least one visible character
 */
export function cleanFilename(sent: string, fallback: string): string {
  const base = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  const cleaned = base
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (cleaned === '' || /^\.+$/.test(cleaned)) return fallback;
  if (cleaned.length <= longest) return cleaned;
  const extension = /\.[^.]{1,16}$/.exec(cleaned)?.[0] ?? '';
  return (
    cleaned
      .slice(0, longest - extension.length)
      .toWellFormed()
      .trimEnd() + extension
  );
}
