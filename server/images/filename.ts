/** UTF-16 units. */
const longest = 4096;

const escaped: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Browsers escape these three characters but not the percent sign (HTML Standard, multipart/form-data encoding algorithm). */
export function unescapeFormName(sent: string): string {
  return sent.replace(/%(?:22|0D|0A)/g, (code) => escaped[code] ?? code);
}

/** Spaces, marks that select a direction or join letters, fillers, and the blank of Braille. */
const INVISIBLE = /[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Removes the path, control characters and line separators. @returns at least one visible character, or the fallback */
export function cleanFilename(sent: string, fallback: string): string {
  const base = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  const cleaned = base
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  if (/^\.*$/.test(cleaned.replace(INVISIBLE, ''))) return fallback;
  if (cleaned.length <= longest) return cleaned;
  const extension = /\.[^.]{1,16}$/.exec(cleaned)?.[0] ?? '';
  return (
    cleaned
      .slice(0, longest - extension.length)
      .toWellFormed()
      .trimEnd() + extension
  );
}

/** A title as a filename: it ends with the extension, and a slash in it starts no path. */
export function filenameOfTitle(title: string, extension: string): string {
  const name = title.replace(/[/\\]/g, '-').trim();
  const isComplete = name.toLowerCase().endsWith(`.${extension}`);
  return name === '' || isComplete ? name : `${name}.${extension}`;
}
