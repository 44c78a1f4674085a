import t from 'tap';
import { KINDS } from '../../server/admin/doctor/issues.ts';
import { ACTIONS, DETAILS } from '../../server/audit/actions.ts';
import * as errors from '../../server/errors.ts';
import { arabic, english } from '../testing/translate.ts';
import { directionOf } from './direction.ts';
import type { Refusal } from './refusal.ts';

const arabicRefusal = (refusal: Refusal): string =>
  arabic.upload.refusal(refusal) ??
  arabic.auth.refusal(refusal) ??
  arabic.factors.refusal(refusal) ??
  arabic.albums.refusal(refusal) ??
  arabic.finding.refusal(refusal) ??
  arabic.links.refusal(refusal) ??
  arabic.preview.refusal(refusal) ??
  arabic.administration.refusal(refusal) ??
  arabic.claim.refusal(refusal) ??
  arabic.provider.refusal(refusal) ??
  arabic.api.refusal(refusal);

const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text);

/** Texts that are the same in every language: the product's name, format names, an error number. */
const sameEverywhere = new Set(['locale', 'separator', 'mailLanguage', 'auth.brandWord', 'notFound.code']);
const names = /^preview\.codes\.(?:markdown|html|bbcode)$/;

function* fixedTexts(words: object, place = ''): Generator<[place: string, text: string]> {
  for (const [key, value] of Object.entries(words)) {
    const here = place === '' ? key : `${place}.${key}`;
    if (typeof value === 'string') yield [here, value];
    else if (typeof value === 'object') yield* fixedTexts(value, here);
  }
}

t.test('every fixed text is translated to Arabic', async (t) => {
  for (const [place, text] of fixedTexts(arabic)) {
    if (!sameEverywhere.has(place) && !names.test(place)) t.ok(isArabic(text), place);
  }
});

t.test('the heading of the video page is Arabic in every language', async (t) => {
  t.equal(english.video.heading, arabic.video.heading);
});

t.test('the audit log has words for every action and detail', async (t) => {
  for (const { audit } of [english.administration, arabic.administration]) {
    t.strictSame(Object.keys(audit.actions).toSorted(), [...ACTIONS].toSorted());
    t.strictSame(Object.keys(audit.details).toSorted(), [...DETAILS].toSorted());
  }
  t.strictSame(Object.keys(arabic.administration.audit.values), Object.keys(english.administration.audit.values));
});

t.test('every finding of the doctor is explained in Arabic', async (t) => {
  for (const kind of KINDS) {
    const { title = '', todo = '' } = arabic.administration.jobs.finding(kind) ?? {};
    t.ok(isArabic(title) && isArabic(todo), kind);
  }
});

t.test('every API error has an Arabic message', async (t) => {
  for (const [name, value] of Object.entries(errors)) {
    // ClientGone is never shown: the client has disconnected.
    if (!/^[A-Z]/.test(name) || name === 'ClientGone') continue;
    const { code, message } = new (value as typeof errors.InvalidRequest)('something');
    const words = arabicRefusal({ code, message });
    t.ok(isArabic(words) && !words.includes(message), code);
  }
});

t.test('the server’s message is shown in English, and in other languages if the code is unknown', async (t) => {
  const refusal = { code: 'NEW_CODE', message: 'Something new.' };
  t.equal(english.api.refusal(refusal), 'Something new.');
  t.equal(arabic.api.refusal(refusal), 'Something new.');
});

t.test('a validation error names the field in Arabic', async (t) => {
  const refusal = (message: string) => arabicRefusal({ code: 'INVALID_REQUEST', message });
  t.match(refusal('The password needs 8 to 256 characters.'), /^كلمة المرور:/);
  t.match(refusal('The email must be a valid address like name@example.com.'), /^البريد الإلكتروني/);
  t.match(refusal('The page must be a whole number from 1.'), /^لم يفهم الخادم/);
});

t.test('a wait is shown in the reader’s numerals', async (t) => {
  const busy = { code: 'SERVER_BUSY', message: '', retryAfter: 5 };
  t.match(arabic.api.refusal(busy), /^الخادم مشغول. يُرجى المحاولة بعد ٥ ثوانٍ?\.$/);
});

t.test('Arabic counts have six forms', async (t) => {
  const counts = [0, 1, 2, 3, 11, 100].map((count) => arabic.upload.images(count));
  t.same(counts, ['لا صور', 'صورة واحدة', 'صورتان', '٣ صور', '١١ صورة', '١٠٠ صورة']);
  t.equal(arabic.upload.speech.started(2), 'جارٍ رفع صورتين');
  t.same(arabic.upload.dock.ready(2), { count: 'صورتان', rest: ' جاهزتان للرفع' });
  t.same(english.upload.dock.ready(2), { count: '2 images', rest: ' ready to upload' });
});

t.test('pages, percentages and times have Arabic digits', async (t) => {
  t.equal(arabic.gallery.pager.page(2, 7), 'الصفحة ٢ من ٧');
  // ICU editions differ in the vowel signs of unit names.
  t.match(arabic.upload.dock.value(59, 5), /^٥٩٪.?، بقي نحو ٥ ثوانٍ?$/);
});

t.test('languages in Arabic or Hebrew script are written right to left', async (t) => {
  t.same(['en', 'ar', 'fr', 'fa', 'he', 'ja'].map(directionOf), ['ltr', 'rtl', 'ltr', 'rtl', 'rtl', 'ltr']);
});

t.test('the Arabic message contains the limit that an error names', async (t) => {
  for (const [error, limit] of [
    [errors.fileTooLarge(64 * 2 ** 20), '64 MiB'],
    [errors.tooManyFiles(100), '100'],
    [new errors.TooManyPixels('at most 100,000,000'), '100,000,000'],
  ] as const) {
    t.match(arabicRefusal({ code: error.code, message: error.message }), `(\u2066${limit}\u2069)`);
  }
  t.notMatch(arabicRefusal({ code: 'FILE_TOO_LARGE', message: 'no figure' }), '(');
});
