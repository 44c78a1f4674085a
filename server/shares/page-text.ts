/** Texts of the pages of shares, by language. */
import type { IncomingHttpHeaders } from 'node:http';
import { textFor as albumTextFor, type PageText } from '../albums/page-text.ts';
import type { RefusalTexts } from '../delivery/refusal-page.ts';
import { chooseLanguage } from '../http/page/language.ts';

type OwnText = {
  empty: string;
  /** Stands for the filename where visitors do not see it. */
  picture: (number: number) => string;
  download: string;
  downloadPart: (part: number, of: number) => string;
  needsPassword: string;
  password: string;
  open: string;
  wrongPassword: string;
};

export type ShareText = PageText & OwnText;

const english: OwnText = {
  empty: 'There are no images here at the moment.',
  picture: (number) => `Image ${number.toLocaleString('en')}`,
  download: 'Download all as ZIP',
  downloadPart: (part, of) => `Download part ${part.toLocaleString('en')} of ${of.toLocaleString('en')} as ZIP`,
  needsPassword: 'Enter the password to see these images. Ask the person who sent the link if you do not have it.',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'This password is wrong. Check it and try again.',
};

const arabic: OwnText = {
  empty: 'لا توجد صور هنا الآن.',
  picture: (number) => `الصورة ${number.toLocaleString('ar-EG')}`,
  download: 'تنزيل الكل بصيغة ZIP',
  downloadPart: (part, of) => `تنزيل الجزء ${part.toLocaleString('ar-EG')} من ${of.toLocaleString('ar-EG')} بصيغة ZIP`,
  needsPassword: 'أدخل كلمة المرور لرؤية هذه الصور. إن لم تكن لديك فاطلبها ممن أرسل الرابط.',
  password: 'كلمة المرور',
  open: 'فتح',
  wrongPassword: 'كلمة المرور خاطئة. تحقق منها وحاول مرة أخرى.',
};

export const textFor = (headers: IncomingHttpHeaders): ShareText => ({
  ...albumTextFor(headers),
  ...chooseLanguage(headers, { en: english, ar: arabic }),
});

export const refusalTexts: RefusalTexts = {
  en: {
    language: 'en',
    direction: 'ltr',
    refusals: {
      NOT_FOUND: {
        title: "This link isn't available",
        reason: 'It may have been turned off or copied incompletely. Ask the person who sent it.',
      },
      SHARE_ENDED: { title: 'This link has ended', reason: 'Ask the person who shared it for a new one.' },
      IMAGE_EXPIRED: { title: 'This image has expired', reason: 'Ask the person who shared it to upload it again.' },
      TOO_MANY_REQUESTS: { title: 'Too many attempts', reason: 'Wait a minute, then try again.' },
    },
  },
  ar: {
    language: 'ar',
    direction: 'rtl',
    refusals: {
      NOT_FOUND: {
        title: 'هذا الرابط غير متاح',
        reason: 'ربما أُوقف، أو لم يُنسخ كاملًا. اسأل من أرسله إليك.',
      },
      SHARE_ENDED: { title: 'انتهى هذا الرابط', reason: 'اطلب رابطًا جديدًا ممن شاركه.' },
      IMAGE_EXPIRED: { title: 'انتهت مدة هذه الصورة', reason: 'اطلب ممن شاركها أن يرفعها من جديد.' },
      TOO_MANY_REQUESTS: { title: 'محاولات كثيرة', reason: 'انتظر دقيقة ثم حاول مرة أخرى.' },
    },
  },
};
