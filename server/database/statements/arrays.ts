/** Strings as one array parameter, `any($1::text::text[])`: the statement's text does not depend on their number. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
