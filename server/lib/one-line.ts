/** A name as it is stored: well-formed, on one line, trimmed. */
export const oneLine = (sent: string): string =>
  sent
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
