/** Texts of the public page, by language. */
import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage, type Reader } from '../http/page/language.ts';

export type PageText = Reader & {
  /** In OpenGraph's form. */
  locale: string;
  count: (images: number) => string;
  empty: string;
  slideshow: string;
  pages: string;
  pageOf: (page: number, of: number) => string;
  previous: string;
  next: string;
  reportAbuse: string;
  missing: string;
  missingReason: string;
  busy: string;
  busyReason: string;
};

/** @param forms by the language's plural rules; `#` is replaced by the number */
function counting(language: string, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count: number) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}

const english: PageText = {
  language: 'en',
  direction: 'ltr',
  locale: 'en_US',
  count: counting('en', { one: '# image', other: '# images' }),
  empty: 'This album is still empty.',
  slideshow: 'Slideshow',
  pages: 'Pages',
  pageOf: (page, of) => `Page ${page.toLocaleString('en')} of ${of.toLocaleString('en')}`,
  previous: 'Prev',
  next: 'Next',
  reportAbuse: 'Report abuse',
  missing: "This album isn't available",
  missingReason: 'The link may have been turned off or copied incompletely. Ask the person who sent it.',
  busy: 'Too many attempts',
  busyReason: 'Wait a minute, then try again.',
};

const arabic: PageText = {
  language: 'ar',
  direction: 'rtl',
  locale: 'ar_EG',
  count: counting('ar-EG', {
    zero: 'لا صور',
    one: 'صورة واحدة',
    two: 'صورتان',
    few: '# صور',
    many: '# صورة',
    other: '# صورة',
  }),
  empty: 'هذا الألبوم ما زال فارغًا.',
  slideshow: 'عرض الشرائح',
  pages: 'الصفحات',
  pageOf: (page, of) => `الصفحة ${page.toLocaleString('ar-EG')} من ${of.toLocaleString('ar-EG')}`,
  previous: 'السابق',
  next: 'التالي',
  reportAbuse: 'الإبلاغ عن إساءة',
  missing: 'هذا الألبوم غير متاح',
  missingReason: 'ربما أُوقف الرابط أو لم يُنسخ كاملًا. اسأل من أرسله إليك.',
  busy: 'محاولات كثيرة',
  busyReason: 'انتظر دقيقة ثم حاول مرة أخرى.',
};

export const textFor = (headers: IncomingHttpHeaders): PageText => chooseLanguage(headers, { en: english, ar: arabic });
