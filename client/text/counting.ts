type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * Formats counted phrases by a locale's plural rules (Arabic has six forms). `#` becomes the number as the locale writes it; a
 * missing form defaults to `other`.
 */
export function counting(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}
