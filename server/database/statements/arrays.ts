/** Texts as one parameter of a statement, whose form then does not depend on their number: `any($1::text::text[])`. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
