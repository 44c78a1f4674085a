const MAX_NOTES = 16;
const MAX_BYTES = 16 * 1024;
/** A keyword (PNG 11.3.3) and its terminator; PLAIN_TEXT adds iTXt's "not compressed" flag. */
const TEXT = /^(?=.{1,79}\0)[\x21-\x7e]+(?: [\x21-\x7e]+)*\0/;
const PLAIN_TEXT = new RegExp(`${TEXT.source}\\0\\0`);

/** Returns a check for harmless chunks of one PNG. Nearly every file has some; dropping them would require a copy of it. */
export function createNotes(): (type: string, length: number, content: () => Buffer) => boolean {
  const seen = new Set<string>();
  let left = MAX_BYTES;
  let notes = 0;
  return (type, length, content) => {
    if (type === 'IDAT') seen.add('pHYs'); // pHYs after IDAT would be out of order
    if (length > left || notes >= MAX_NOTES || seen.has(type) || !isHarmless(type, content)) return false;
    if (type === 'pHYs' || type === 'tIME') seen.add(type);
    left -= length;
    notes += 1;
    return true;
  };
}

function isHarmless(type: string, content: () => Buffer): boolean {
  if (type === 'tEXt') return TEXT.test(content().toString('latin1'));
  if (type === 'iTXt') return PLAIN_TEXT.test(content().toString('latin1'));
  if (type === 'pHYs') return isResolution(content());
  return type === 'tIME' && isTime(content());
}

const isResolution = (note: Buffer) =>
  note.length === 9 && (note[0] ?? 255) < 128 && (note[4] ?? 255) < 128 && (note[8] ?? 255) < 2;

function isTime(note: Buffer): boolean {
  const [, , month = 0, day = 0, hour = 0, minute = 0, second = 0] = note;
  const date = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return note.length === 7 && date && hour < 24 && minute < 60 && second <= 60;
}
