/** Right-to-left scripts. */
const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

export const scriptOf = (language: string): string => new Intl.Locale(language).maximize().script ?? 'Latn';

export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(scriptOf(language)) ? 'rtl' : 'ltr');
