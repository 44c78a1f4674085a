import t from 'tap';
import { codesFor } from './embed-codes.ts';

const text = (filename: string, kind: string, description = '') =>
  codesFor({ url: 'https://host.test/i/abc.jpg', filename, description }).find((code) => code.kind === kind)?.text;

t.test('each markup contains the link', async (t) => {
  t.equal(text('cat.jpg', 'link'), 'https://host.test/i/abc.jpg');
  t.equal(text('cat.jpg', 'markdown'), '![cat.jpg](https://host.test/i/abc.jpg)');
  t.equal(text('cat.jpg', 'html'), '<img src="https://host.test/i/abc.jpg" alt="cat.jpg">');
  t.equal(text('cat.jpg', 'bbcode'), '[img]https://host.test/i/abc.jpg[/img]');
});

t.test('a hostile filename cannot break out of the markup', async (t) => {
  const html = text('"><script>alert(1)</script>.jpg', 'html') ?? '';
  t.notMatch(html, /<script|alt=""/);
  t.equal(text('a](https://evil.test).jpg', 'markdown'), '![a\\](https://evil.test).jpg](https://host.test/i/abc.jpg)');
});

t.test('a description replaces the filename, with the same escaping', async (t) => {
  const words = 'Two <gulls> & a "kite" [far]';
  t.equal(text('cat.jpg', 'markdown', words), '![Two \\<gulls\\> & a "kite" \\[far\\]](https://host.test/i/abc.jpg)');
  t.equal(
    text('cat.jpg', 'html', words),
    '<img src="https://host.test/i/abc.jpg" alt="Two &#60;gulls&#62; &#38; a &#34;kite&#34; [far]">',
  );
  t.equal(text('cat.jpg', 'bbcode', words), '[img]https://host.test/i/abc.jpg[/img]');
});
