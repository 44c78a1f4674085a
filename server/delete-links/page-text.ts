/** Texts of the page behind a delete link, by language. */
import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage, type Reader } from '../http/page/language.ts';

export type PageText = Reader & {
  question: string;
  consequence: string;
  button: string;
  deleted: string;
  deletedReason: string;
  missing: string;
  missingReason: string;
};

const english: PageText = {
  language: 'en',
  direction: 'ltr',
  question: 'Delete this image?',
  consequence: "Its link stops working for everyone. You can't undo this.",
  button: 'Delete image',
  deleted: 'Image deleted',
  deletedReason: 'Its link no longer works. Copies that others have saved remain.',
  missing: "This delete link doesn't work",
  missingReason: 'The image may have been deleted already, or the link was copied incompletely.',
};

const arabic: PageText = {
  language: 'ar',
  direction: 'rtl',
  question: 'هل تريد حذف هذه الصورة؟',
  consequence: 'سيتوقف رابطها عن العمل لدى الجميع، ولا يمكن التراجع عن ذلك.',
  button: 'حذف الصورة',
  deleted: 'حُذفت الصورة',
  deletedReason: 'لم يعد رابطها يعمل. أما النسخ التي حفظها غيرك فتبقى لديه.',
  missing: 'رابط الحذف هذا لا يعمل',
  missingReason: 'ربما حُذفت الصورة من قبل، أو لم يُنسخ الرابط كاملًا.',
};

export const textFor = (headers: IncomingHttpHeaders): PageText => chooseLanguage(headers, { en: english, ar: arabic });
