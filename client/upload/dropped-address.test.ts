import t from 'tap';
import { addressOf, fileAt } from './dropped-address.ts';

t.test('the address is that of the picture, also in a link', async (t) => {
  const html =
    '<a href="https://a.example/page"><img class="x" data-src="no" src="https://a.example/1.png?a=1&amp;b=2"></a>';
  t.equal(addressOf({ uri: 'https://a.example/page', html }), 'https://a.example/1.png?a=1&b=2');
  t.equal(addressOf({ uri: '# a comment\r\nhttps://a.example/2.png', html: '' }), 'https://a.example/2.png');
  t.equal(addressOf({ uri: '', html: '<b>words</b>' }), '');
});

t.test('a picture in a data: address is read from it', async (t) => {
  const file = await fileAt({ uri: 'data:image/png;base64,AQID', html: '' });
  t.same([file.name, file.type, ...new Uint8Array(await file.arrayBuffer())], ['dragged.png', 'image/png', 1, 2, 3]);
  const drawing = await fileAt({ uri: 'data:image/svg+xml;charset=utf-8,%3Csvg/%3E', html: '' });
  t.same([drawing.name, await drawing.text()], ['dragged.svg', '<svg/>']);
  await t.rejects(fileAt({ uri: 'data:text/html,words', html: '' }));
});
