import fc from 'fast-check';
import t from 'tap';
import { videoSource } from './video-link.ts';

const page = { origin: 'https://pictures.example', hostname: 'pictures.example' };
const source = (text: string) => videoSource(text, page);

const schemes = [
  'https://',
  'http://',
  'HTTPS://',
  'javascript:',
  'java\tscript:',
  'data:text/html,',
  'blob:https://',
  'vbscript:',
  'file:///',
  '//',
  'https:',
  'https:\\\\',
  '',
];
const hosts = [
  'www.youtube.com',
  'youtu.be',
  'm.youtube.com',
  'vimeo.com',
  'player.vimeo.com',
  'dai.ly',
  'www.dailymotion.com',
  'clips.twitch.tv',
  'www.twitch.tv',
  'youtube.com.evil.example',
  'evil.example',
  'pictures.example',
  'user@youtube.com',
  'youtube.com:443',
  'уoutube.com',
  'constructor',
  '[::1]',
  '127.0.0.1:8080',
];
const bits = [
  '/',
  'watch?v=',
  'embed/',
  'video/',
  '?',
  '&',
  '#',
  '=',
  '..',
  '%2f',
  '%00',
  '"',
  "'",
  '<script>',
  'javascript:alert(1)',
  '@',
  '\\',
  '\n',
  '\t',
  '\u2028',
  ' ',
  'dQw4w9WgXcQ',
  '12345',
  'attribution_link?u=',
  'list=',
  'clip=',
  'parent=evil.example',
  't=1m',
  'autoplay=1',
  '&origin=https://evil.example',
];
const built = fc
  .tuple(
    fc.constantFrom(...schemes),
    fc.constantFrom(...hosts),
    fc.string({ unit: fc.oneof(fc.constantFrom(...bits), fc.string({ minLength: 1, maxLength: 3 })), maxLength: 12 }),
  )
  .map(([scheme, host, rest]) => `${scheme}${host}/${rest}`);
const link = fc.oneof(
  { weight: 4, arbitrary: built },
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...schemes, ...hosts, ...bits), maxLength: 8 }),
);

/** The forms to which a link of a known provider may be rewritten. */
const embeds = [
  /^https:\/\/www\.youtube(?:-nocookie)?\.com\/embed\/[\w-]{3,64}(?:\?start=\d+)?$/,
  /^https:\/\/www\.youtube(?:-nocookie)?\.com\/embed\/videoseries\?list=[\w-]{3,64}$/,
  /^https:\/\/player\.vimeo\.com\/video\/\d+(?:\?h=[0-9A-Za-z]+)?(?:#t=\d+s)?$/,
  /^https:\/\/www\.dailymotion\.com\/embed\/video\/[0-9A-Za-z]+(?:\?start=\d+)?$/,
  /^https:\/\/clips\.twitch\.tv\/embed\?clip=[\w-]{3,120}&parent=pictures\.example$/,
  /^https:\/\/player\.twitch\.tv\/\?(?:video=v\d+|channel=\w{3,25})&parent=pictures\.example(?:&time=\d+s)?$/,
];

t.test('any text gives an http(s) URL of another host without credentials, or null', async (t) => {
  fc.assert(
    fc.property(link, (text) => {
      const result = source(text);
      if (result === null) return true;
      const url = new URL(result);
      return (
        /^https?:$/.test(url.protocol) &&
        url.username === '' &&
        url.password === '' &&
        url.origin !== page.origin &&
        /^https?:\/\/[^/\\]/i.test(result)
      );
    }),
    { numRuns: 3000 },
  );
  t.pass('3000 texts');
});

t.test('a URL stays as pasted, or becomes the URL of a known player', async (t) => {
  fc.assert(
    fc.property(link, (text) => {
      const result = source(text);
      return (
        result === null ||
        result === text.trim() ||
        result === `https://${text.trim()}` ||
        embeds.some((form) => form.test(result)) ||
        result === new URL(`https://${text.trim()}`).href
      );
    }),
    { numRuns: 3000 },
  );
  t.pass('3000 texts');
});

t.test('a player’s own URL stays the same', async (t) => {
  fc.assert(
    fc.property(link, (text) => {
      const result = source(text);
      return result === null || !embeds.some((form) => form.test(result)) || source(result) === result;
    }),
    { numRuns: 3000 },
  );
  t.pass('3000 texts');
});
