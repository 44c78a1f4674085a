/** Browsers name every pasted picture `image.png`. */
const NAMELESS = /^(?:image|blob|)(?:\.(\w{1,8}))?$/iu;

/** Renames unnamed clipboard pictures to `pasted-1.png`, `pasted-2.png`, ... starting after `count`. */
export function namePasted(files: readonly File[], count: number): readonly File[] {
  let next = count;
  return files.map((file) => {
    const match = NAMELESS.exec(file.name);
    if (match === null) return file;
    next += 1;
    const extension = match[1] ?? file.type.split('/')[1]?.replace(/\W.*$/u, '') ?? 'png';
    return new File([file], `pasted-${next}.${extension}`, { type: file.type, lastModified: file.lastModified });
  });
}
