import t from 'tap';
import { savedName, sendsLogin } from './download.ts';

const original = '/api/images/1/original';
const at = (origin: string) => ({ origin, protocol: new URL(origin).protocol });

t.test('a plain link downloads the file if the browser sends the login cookie', async (t) => {
  t.ok(sendsLogin(original, 'http://192.0.2.1:3000/i/a.png', at('http://192.0.2.1:3000')));
  t.ok(sendsLogin(original, 'https://pictures.example/i/a.png', at('https://pictures.example')));
});

t.test('the bytes are fetched from another origin, and over HTTP if the cookie requires HTTPS', async (t) => {
  const api = 'https://api.example/api/images/1/original';
  t.notOk(sendsLogin(api, 'https://api.example/i/a.png', at('https://pictures.example')));
  t.notOk(sendsLogin(original, 'https://pictures.example/i/a.png', at('http://192.0.2.1:3000')));
  t.notOk(sendsLogin('http://:', 'http://192.0.2.1:3000/i/a.png', at('http://192.0.2.1:3000')), 'invalid URL');
});

t.test('an image is saved with the extension of its link', async (t) => {
  const saved = (filename: string, extension: string) =>
    savedName({ filename, url: `https://a.example/i/k.${extension}` });
  t.equal(saved('image', 'png'), 'image.png');
  t.equal(saved('a.JPEG', 'jpg'), 'a.JPEG');
  t.equal(saved('a.heic', 'webp'), 'a.webp');
  t.equal(saved('v1.2', 'png'), 'v1.2.png');
});
