/** Signs that Windows has no place for in a file's name, and that a path is made of. */
const unfit = /[<>:"/\\|?*\p{Cc}]/gu;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

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
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    for (let number = 2; taken.has(unique.normalize('NFC').toLowerCase()); number += 1) {
      unique = `${stem} (${number})${extension}`;
    }
    taken.add(unique.normalize('NFC').toLowerCase());
    return unique;
  });
}
