/** Characters that are not allowed in file names on Windows or that form paths. */
const unfit = /[<>:"/\\|?*\p{Cc}]/gu;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Bytes of UTF-8: the file system limit of 255 less room for a number. */
const longest = 240;

function cut(text: string, bytes: number): string {
  let kept = '';
  let left = bytes;
  for (const letter of text) {
    left -= Buffer.byteLength(letter);
    if (left < 0) break;
    kept += letter;
  }
  return kept;
}

const fitting = (filename: string): string =>
  filename
    .toWellFormed()
    .replace(unfit, '_')
    .replace(/[. ]+$/, '_')
    .replace(devices, '_$&');

/** Returns distinct names, ignoring case, that are valid on any system, in the same order. */
export function archiveNames(filenames: readonly string[]): string[] {
  const taken = new Set<string>();
  return filenames.map((filename) => {
    const name = fitting(filename);
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 && name.length - dot <= 17 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    const short = cut(stem, longest - Buffer.byteLength(extension));
    let unique = short + extension;
    for (let number = 2; taken.has(unique.normalize('NFC').toLowerCase()); number += 1) {
      unique = `${short} (${number})${extension}`;
    }
    taken.add(unique.normalize('NFC').toLowerCase());
    return unique;
  });
}
