/** Signs that Windows has no place for in a file's name, and that a path is made of. */
const unfit = /[<>:"/\\|?*\p{Cc}]/gu;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Bytes of UTF-8 that file systems take, less some for a number. */
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

/** Names under which files can be unpacked beside each other on any system, where case may not count. As many, in the same order. */
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
