import t from 'tap';
import * as ar from './languages/ar.ts';
import * as en from './languages/en.ts';
import { locale, mailLanguage, speak, upload } from './words.ts';

t.test('the texts of an area change with the language', async (t) => {
  speak({ ...en.start, ...en.upload });
  t.equal(upload.dock.upload, 'Upload');
  t.equal(mailLanguage, 'en');
  speak({ ...ar.start, ...ar.upload });
  t.equal(upload.dock.upload, 'رفع');
  t.equal(mailLanguage, 'ar');
});

t.test('words that load later leave the others as they are', async (t) => {
  speak({ ...en.start, ...en.upload });
  speak({ ...en.start, ...en.later });
  t.equal(upload.dock.upload, 'Upload');
});

t.test('numbers follow the reader’s region if the language leaves it open', async (t) => {
  speak(en.start, ['de-DE', 'en-GB', 'en-US']);
  t.equal(locale, 'en-GB');
  speak(en.start, ['ar-EG']);
  t.equal(locale, 'en');
  speak(ar.start, ['ar-MA']);
  t.equal(locale, 'ar-EG');
});
