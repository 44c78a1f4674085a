import t from 'tap';
import { readImageName } from './image.ts';

const key = 'AbCdEfGhIjKlMnOpQr_-01';
const id = '0190a1b2-c3d4-7e5f-8a6b-0123456789ab';

t.test('an image is found by any form of its link, by its key or by its id', async (t) => {
  const links = [
    `https://gallery.example/i/${key}.png`,
    `https://gallery.example/i/${key}.png?download=1#top`,
    `https://gallery.example/i/${key}/thumbnail.webp`,
    `/i/${key}/screen.avif`,
    `i/${key}.png`,
    `${key}.png`,
    ` ${key} `,
  ];
  for (const link of links) t.same(readImageName(link), { linkKey: key }, link);
  for (const text of [id, id.toUpperCase()]) t.same(readImageName(text), { id });
});

t.test('a text that names no image is reported in one line', async (t) => {
  t.throws(() => readImageName(`https://gallery.example/a/${key}`), { message: /^This is the link of an album/ });
  t.throws(() => readImageName('no\nthing'), {
    message: 'This is neither a link to a picture nor an id: "no\\nthing".',
  });
});
