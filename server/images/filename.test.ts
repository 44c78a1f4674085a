import t from 'tap';
import { cleanFilename, decodeWords, savedName, unescapeFormName } from './filename.ts';

t.test('a valid name is kept unchanged', async (t) => {
  for (const name of [
    'holiday 2026.jpg',
    'عطلة.png',
    '🌇 sunset.webp',
    'a"b\';<script>.gif',
    'CON',
    '-rf.png',
    'Cafe\u0301.jpg',
    '..a.jpg',
    'a\u202Egpj.png',
  ]) {
    t.equal(cleanFilename(name, 'image'), name);
  }
});

t.test('paths and control characters are removed', async (t) => {
  for (const [sent, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['/absolute.png', 'absolute.png'],
    ['a\u0000b\r\nSet-Cookie: x.png', 'abSet-Cookie: x.png'],
    ['two\u2028lines\u2029here.png', 'twolineshere.png'],
    ['tab\tbed\u0085.png', 'tabbed.png'],
    ['  spaced.png ', 'spaced.png'],
  ] as const) {
    t.equal(cleanFilename(sent, 'image'), kept);
  }
});

t.test('a name that is empty after cleaning becomes the fallback', async (t) => {
  for (const sent of ['', '.', '..', '../', 'a/', '\u0000\u0001', '   '])
    t.equal(cleanFilename(sent, 'image.png'), 'image.png');
});

t.test('a name without a visible character becomes the fallback', async (t) => {
  for (const sent of [
    '\u200b',
    '\ufeff\u2060',
    '\u3164',
    '\u115f\u1160',
    '\u2800',
    '\u00ad',
    '\u202e.',
    '\u{e0041}',
    '\u3000',
    '\u200b.png',
    '\u2800.JPEG',
    '.png',
  ]) {
    t.equal(cleanFilename(sent, 'image.png'), 'image.png', JSON.stringify(sent));
  }
  for (const sent of ['\u200b.hidden', '👩\u200d🚀', 'می\u200cخواهم', '\ue000'])
    t.equal(cleanFilename(sent, 'image.png'), sent);
});

t.test('a name of more than 4096 characters is cut and keeps its extension', async (t) => {
  const kept = cleanFilename(`${'x'.repeat(10_000)}.jpeg`, 'image');
  t.equal(kept.length, 4096);
  t.match(kept, /x\.jpeg$/);
});

t.test('an unpaired surrogate is replaced', async (t) => {
  t.equal(cleanFilename('a\ud83d.png', 'image'), 'a\ufffd.png');
});

t.test('only the characters that browsers escape in forms are unescaped', async (t) => {
  t.equal(unescapeFormName('say %22hi%22.png'), 'say "hi".png');
  t.equal(cleanFilename(unescapeFormName('two%0D%0Alines.png'), 'image'), 'twolines.png');
  t.equal(unescapeFormName('100%25 %2e%2e%2f.png'), '100%25 %2e%2e%2f.png');
});

t.test('a name that is cut at a space ends before it', async (t) => {
  t.equal(cleanFilename(`${'a'.repeat(4095)} ${'b'.repeat(50)}`, 'image'), 'a'.repeat(4095));
});

t.test('encoded words are decoded, and other names are kept', async (t) => {
  for (const [sent, name] of [
    ['=?utf-8?B?TcO8bGxlci5wbmc=?=', 'Müller.png'],
    ['=?UTF-8?Q?M=C3=BCller_1.png?=', 'Müller 1.png'],
    ['=?iso-8859-1?q?M=FCller.png?=', 'Müller.png'],
    ['=?utf-8*de?B?TcO8?= =?utf-8?B?bGxlci5wbmc=?=', 'Müller.png'],
    ['=?none?B?TcO8bGxlci5wbmc=?=', '=?none?B?TcO8bGxlci5wbmc=?='],
    ['=?utf-8?B?TcO8?= and more.png', '=?utf-8?B?TcO8?= and more.png'],
    ['what =? it.png', 'what =? it.png'],
  ] as const)
    t.equal(decodeWords(sent), name);
});

t.test('a picture is saved with its true extension', async (t) => {
  for (const [filename, extension, saved] of [
    ['image', 'png', 'image.png'],
    ['a.PNG', 'png', 'a.PNG'],
    ['a.jpeg', 'jpg', 'a.jpeg'],
    ['a.tif', 'tiff', 'a.tif'],
    ['a.jpg', 'png', 'a.png'],
    ['v1.2', 'webp', 'v1.2.webp'],
    ['page.html', 'png', 'page.html.png'],
    ['a.', 'gif', 'a.gif'],
    ['a.png.', 'png', 'a.png'],
    ['a..jpg', 'png', 'a.png'],
    ['a.jxl', 'png', 'a.png'],
    ['a.bmp', 'jpg', 'a.jpg'],
    ['a.apng', 'png', 'a.png'],
    ['a.svgz', 'svg', 'a.svg'],
    ['.jpg', 'png', 'image.png'],
    ['images.zip', 'zip', 'images.zip'],
  ] as const)
    t.equal(savedName(filename, extension), saved);
});
