import t from 'tap';
import { rgbaToThumbHash } from 'thumbhash';
import { placeholderUrl } from './placeholder.ts';

t.test('a thumbhash becomes a picture', async (t) => {
  const hash = Buffer.from(rgbaToThumbHash(2, 1, new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255]))).toString('base64');
  const url = placeholderUrl(hash);
  t.match(url, /^data:image\/png;base64,/);
  t.equal(placeholderUrl(hash), url);
});

t.test('an invalid thumbhash becomes no picture', async (t) => {
  t.equal(placeholderUrl(''), null);
  t.equal(placeholderUrl('%%%'), null);
});
