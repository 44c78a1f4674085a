import { visiblePart } from '../lib/one-line.ts';

/** UTF-16 units. */
const longest = 4096;

const escaped: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Browsers escape these three characters but not the percent sign (HTML Standard, multipart/form-data encoding algorithm). */
export function unescapeFormName(sent: string): string {
  return sent.replace(/%(?:22|0D|0A)/g, (code) => escaped[code] ?? code);
}

/** `=?utf-8?B?TcO8bGxlci5wbmc=?=` (RFC 2047). */
const encodedWord = /^=\?(?<charset>[\w-]+)(?:\*[\w-]*)?\?(?<encoding>[bq])\?(?<text>[^?]*)\?=$/i;

function bytesOfWord(encoding: string, text: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(text, 'base64');
  const plain = text.replaceAll('_', ' ');
  return Buffer.from(
    plain.replace(/=([\da-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
}

/** Decodes a name that consists of encoded words: .NET and PowerShell write every name so that is not ASCII. */
export function decodeWords(sent: string): string {
  const decoded = sent.split(/\s+/).map((word) => {
    const { charset = '', encoding = '', text = '' } = encodedWord.exec(word)?.groups ?? {};
    try {
      return charset === '' ? undefined : new TextDecoder(charset).decode(bytesOfWord(encoding, text));
    } catch {
      return undefined;
    }
  });
  return decoded.includes(undefined) ? sent : decoded.join('');
}

/** Other extensions of the kinds of pictures. */
const aliases: Record<string, string> = {
  ...{ jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg', tiff: 'tif', heif: 'heic', hif: 'heic' },
};
const pictures = new Set(['jpg', 'png', 'webp', 'gif', 'avif', 'tif', 'svg', 'svgz', 'heic', 'bmp', 'jxl', 'apng']);

const kindOf = (extension: string): string => aliases[extension] ?? extension;

const isExtension = (name: string): boolean =>
  name.startsWith('.') && pictures.has(kindOf(name.slice(1).toLowerCase()));

/** Removes the path, control characters and line separators. @returns at least one visible character, or the fallback */
export function cleanFilename(sent: string, fallback: string): string {
  const base = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  const cleaned = base
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  const visible = visiblePart(cleaned);
  // A card that shows only an extension has no name either.
  if (/^\.*$/.test(visible) || isExtension(visible)) return fallback;
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

const withoutEndDots = (name: string): string => name.replace(/[. ]+$/, '');

/** The filename under which bytes are saved: it ends with their true extension. */
export function savedName(filename: string, extension: string): string {
  const name = withoutEndDots(filename);
  const dot = name.lastIndexOf('.');
  const claimed = dot < 0 ? '' : kindOf(name.slice(dot + 1).toLowerCase());
  if (claimed === kindOf(extension)) return name;
  // The extension of another kind of picture misleads; any other one is part of the name.
  const stem = pictures.has(claimed) ? withoutEndDots(name.slice(0, dot)) : name;
  return `${stem || 'image'}.${extension}`;
}
