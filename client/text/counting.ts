type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * Counted phrases by the plural rules of a locale (Arabic has six forms). `#` stands for the number as the locale writes it; a
 * form that is not given is the same as `other`.
 */
export function counting(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}
