import t from 'tap';
import { archiveNames } from './names.ts';

t.test('equal names get numbers, ignoring case', async (t) => {
  t.same(archiveNames(['a.jpg', 'A.JPG', 'a.jpg', 'b.jpg']), ['a.jpg', 'A (2).JPG', 'a (3).jpg', 'b.jpg']);
  t.same(archiveNames(['a (2).jpg', 'a.jpg', 'a.jpg']), ['a (2).jpg', 'a.jpg', 'a (3).jpg']);
  t.same(archiveNames(['é.png', 'e\u0301.png']), ['é.png', 'e\u0301 (2).png'], 'as macOS writes it');
  t.same(archiveNames(['noextension', 'noextension', '.hidden', '.hidden']), [
    'noextension',
    'noextension (2)',
    '.hidden',
    '.hidden (2)',
  ]);
});

t.test('names contain no path and are valid on every system', async (t) => {
  t.same(archiveNames(['../../etc/passwd', 'C:\\x.png', 'what?.jpg', 'a|b<c>"*".png']), [
    '.._.._etc_passwd',
    'C__x.png',
    'what_.jpg',
    'a_b_c____.png',
  ]);
  t.same(archiveNames(['CON', 'nul.png', 'console.png', 'end. ', '..', 'line\nbreak']), [
    '_CON',
    '_nul.png',
    'console.png',
    'end_',
    '_',
    'line_break',
  ]);
  t.same(archiveNames(['صورة.png', 'фото 🎉.jpg']), ['صورة.png', 'фото 🎉.jpg']);
});

t.test('a long name is cut to 255 bytes and keeps its extension', async (t) => {
  const long = `${'ü'.repeat(500)}.jpeg`;
  const [one = '', other = ''] = archiveNames([long, long]);
  for (const name of [one, other]) t.ok(Buffer.byteLength(name) <= 255 && name.endsWith('.jpeg'), name);
  t.not(one, other);
  t.equal(archiveNames([`${'😀'.repeat(100)}`])[0], '😀'.repeat(60), 'no character is split');
});
