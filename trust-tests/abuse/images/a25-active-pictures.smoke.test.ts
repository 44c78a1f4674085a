import { deflateSync } from 'node:zlib';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { imagesOf, newAccount, pathOf, send } from '../../testing/account.ts';
import { call, noLeak } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { pngChunk, withChunks } from '../../testing/pictures/bombs.ts';
import { corpusBytes, corpusFiles } from '../../testing/pictures/corpus.ts';

const script = '<script>alert(1)</script>';
const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" ${attributes}>${inside}<rect width="9" height="9"/></svg>`;

async function hostile(): Promise<Record<string, string | Buffer>> {
  const [png, gif, jpeg, webp] = [
    await picture(),
    await picture({ format: 'gif' }),
    await picture({ format: 'jpeg' }),
    await picture({ format: 'webp' }),
  ];
  const comment = Buffer.from(script);
  const jpegComment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment]);
  return {
    'script.svg': svg(script),
    'onload.svg': svg('', 'onload="alert(1)"'),
    'foreign.svg': svg(
      `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml">${script}</body></foreignObject>`,
    ),
    'link.svg': svg('<a xlink:href="javascript:alert(1)"><text y="9">x</text></a>'),
    'style.svg': svg('<style>@import url(http://127.0.0.1:1/x.css);</style>'),
    'external.svg': svg(
      '<image href="http://127.0.0.1:1/x.png" width="9" height="9"/><use href="http://127.0.0.1:1/x.svg#a"/>',
    ),
    'file.svg': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text y="9">&x;</text>')}`,
    'stylesheet.svg': `<?xml-stylesheet type="text/xsl" href="data:text/xml,${encodeURIComponent(script)}"?>${svg('')}`,
    'named.png': svg(script),
    'named.jpg': svg(script),
    'page.html': `<!doctype html>${script}`,
    'page.svg': `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`,
    'feed.xml': `<?xml version="1.0"?><rss>${script}</rss>`,
    'magic.png': Buffer.concat([png.subarray(0, 8), comment]),
    'magic.gif': `GIF89a/*${script}*/=1;`,
    'tail.png': Buffer.concat([png, comment]),
    'tail.gif': Buffer.concat([gif, comment]),
    'tail.jpg': Buffer.concat([jpeg, comment]),
    'tail.webp': Buffer.concat([webp, comment]),
    'text.png': withChunks(png, [pngChunk('tEXt', Buffer.from(`Title\0${script}`))]),
    'zipped-text.png': withChunks(png, [
      pngChunk('zTXt', Buffer.concat([Buffer.from('Title\0\0'), deflateSync(comment)])),
    ]),
    'comment.jpg': Buffer.concat([jpeg.subarray(0, 2), jpegComment, jpeg.subarray(2)]),
    'zip.gif': Buffer.concat([gif, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'paper.pdf': '%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
    'program.js': 'alert(1)',
    'flash.swf': Buffer.from('CWS\x09aaaaaaaaaaaa', 'latin1'),
    'vector.mvg': 'push graphic-context\nfill \'url(https://127.0.0.1/x.jpg"|id ")\'\npop graphic-context',
    'script.eps': '%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%id) (w) file',
  };
}

abuse('A25', 'a picture with active content is refused, or served as a sandboxed picture', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const files: [string, string | Buffer][] = Object.entries(await hostile());
  for (const { file, class: kind } of corpusFiles())
    if (/^(?:hostile|lie|polyglot)$/.test(kind)) files.push([file, corpusBytes(file)]);

  let served = 0;
  for (const [name, bytes] of files) {
    const answer = await send(origin, account, [{ name, bytes, type: 'text/html' }]);
    if (answer.status !== 201) {
      t.ok([413, 415, 422].includes(answer.status), `${name} is refused: ${answer.status}`);
      noLeak(t, answer, name);
      continue;
    }
    served += 1;
    const [image] = imagesOf(answer);
    for (const url of [image?.url, image?.thumbnail_url, image?.screen_url]) {
      for (const accept of ['text/html', 'image/*']) {
        const { headers, status } = await call(origin, pathOf(url), {
          headers: { accept, 'sec-fetch-dest': 'document' },
        });
        t.equal(status, 200);
        t.match(headers['content-type'], /^image\/(?:png|jpeg|gif|webp|avif|tiff|heic|svg\+xml)$/, name);
        t.equal(headers['x-content-type-options'], 'nosniff');
        t.match(headers['content-security-policy'], /^default-src 'none'.*\bsandbox(?:;|$)/, name);
        t.notMatch(headers['content-security-policy'], /script-src|allow-scripts|unsafe-eval/);
        if (headers['content-type'] === 'image/svg+xml')
          t.match(headers['content-disposition'], /^attachment/, 'an SVG is downloaded');
      }
    }
  }
  t.ok(served > 10, `${served} of ${files.length} are pictures and served`);
});
