import t from 'tap';
import { texts as arabic } from './languages/ar.ts';
import { texts as english } from './languages/en.ts';
import { locale, speak } from './texts.ts';
import { texts } from './upload.ts';

t.test('the texts of an area change with the language', async (t) => {
  speak(english);
  t.equal(texts.dock.upload, 'Upload');
  speak(arabic);
  t.equal(texts.dock.upload, 'رفع');
});

t.test('numbers follow the reader’s region if the language leaves it open', async (t) => {
  speak(english, ['de-DE', 'en-GB', 'en-US']);
  t.equal(locale, 'en-GB');
  speak(english, ['ar-EG']);
  t.equal(locale, 'en');
  speak(arabic, ['ar-MA']);
  t.equal(locale, 'ar-EG');
});
