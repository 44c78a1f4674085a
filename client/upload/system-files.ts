/** What macOS, Windows and NAS systems write beside pictures, and hidden files (as in cli/push/scan.ts). */
const ofSystems = /^(?:\.|(?:(?:eh)?thumbs\.db|desktop\.ini|__macosx|@eadir|#recycle|\$recycle\.bin|icon\r)$)/i;

export const isOfSystem = (name: string): boolean => ofSystems.test(name);

export type ChosenFiles = {
  files: File[];
  /** Hidden files and those of systems. A folder counts once. */
  leftOut: number;
};

export function withoutSystemFiles(all: readonly File[]): ChosenFiles {
  const files = all.filter(({ name }) => !isOfSystem(name));
  return { files, leftOut: all.length - files.length };
}
