import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import t from 'tap';
import { colourAt, decodeBytes, inspectBytes, LIMITS } from '../testing/pictures.ts';

const NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (inside: string) => `<svg ${NAMES} width="100" height="100">${inside}</svg>`;
const image = (address: string) => `<image width="100" height="100" href="${address}"/>`;
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');
const address = (bytes: Buffer | string, type = 'image/png') => `data:${type};base64,${base64(bytes)}`;
const nested = (inside: string) => address(svg(inside), 'image/svg+xml');
const percent = (bytes: Buffer | string) =>
  [...Buffer.from(bytes)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const red = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#f00' }, limitInputPixels: false });
const png = await red(300).png().toBuffer();
const jpeg = await red(300).jpeg().toBuffer();
const named = (declarations: string, inside: string) => `<!DOCTYPE svg [${declarations}]>${svg(inside)}`;
const pattern = (bytes: Buffer | string) =>
  nested(`<pattern id="p" width="1" height="1">${image(address(bytes))}</pattern>`);

/** Ways to make librsvg draw the same PNG. */
const WAYS: Record<string, string> = {
  href: svg(image(address(png))),
  'xlink:href': svg(image(address(png)).replace('href', 'xlink:href')),
  'without a type': svg(image(`data:;base64,${base64(png)}`)),
  'in capitals, with line breaks': svg(
    image(`  DA&#10;TA:image/png;BASE64,${base64(png).replace(/.{60}/g, '$&&#10;')}`),
  ),
  'in references': svg(image(address(png).replace('data', '&#100;&#x61;t&#97;'))),
  'percent-encoded': svg(image(`data:image/png,${percent(png)}`)),
  'percent-encoded digits': svg(image(`data:image/png;base64,${percent(base64(png))}`)),
  'a drawing in a drawing': svg(image(nested(image(address(png))))),
  'a drawing percent-encoded': svg(image(`data:image/svg+xml,${percent(svg(image(address(png))))}`)),
  'a packed drawing': svg(image(address(gzipSync(svg(image(address(png)))), 'image/svg+xml'))),
  'a drawing in UTF-16': svg(
    image(address(Buffer.from(`\ufeff${svg(image(address(png)))}`, 'utf16le'), 'image/svg+xml')),
  ),
  feImage: svg(
    `<filter id="f"><feImage href="${address(png)}"/></filter><rect width="100" height="100" filter="url(#f)"/>`,
  ),
  'use of another drawing': svg(`<use href="${nested(`<g id="a">${image(address(png))}</g>`)}#a"/>`),
  'a pattern of another drawing': svg(`<rect width="100" height="100" fill="url(${pattern(png)}#p)"/>`),
  'a style': svg(`<style>rect{fill:url(<![CDATA["${pattern(png)}]]>#p")}</style><rect width="100" height="100"/>`),
  'a style sheet': svg(
    `<style>@import url(${address(`rect{fill:url(${pattern(png)}#p)}`, 'text/css')});</style><rect width="100" height="100"/>`,
  ),
  XInclude: svg(
    `<g xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${nested(image(address(png)))}"/></g>`,
  ),
  'an entity': named(`<!ENTITY x "${address(png)}">`, image('&x;')),
  'an entity, another in a comment': named(`<!-- <!ENTITY x "no"> --><!ENTITY x "${address(png)}">`, image('&x;')),
  'an entity behind an open quote': named(
    `<!-- <!ENTITY y " --><!ENTITY x "${address(png)}"><!-- "><!ENTITY x "no"> -->`,
    image('&x;'),
  ),
  'an entity with a long name': named(`<!ENTITY ${'x'.repeat(101)} "${address(png)}">`, image(`&${'x'.repeat(101)};`)),
  'parts of entities': named(`<!ENTITY s "&#38;d;ta"><!ENTITY d "da">`, image(address(png).replace('data', '&s;'))),
  'the value of a doctype': named(`<!ATTLIST image href CDATA "${address(png)}">`, '<image width="100" height="100"/>'),
};

const verify = async (document: string, maxPixels: number) => {
  const outcome = await decodeBytes(document, { ...LIMITS, maxPixels });
  return outcome.ok ? 'ok' : `${outcome.failure.code}: ${outcome.failure.detail}`;
};

t.test('a picture inside an SVG counts against the pixel limit in every notation', async (t) => {
  for (const [name, document] of Object.entries(WAYS)) {
    const outcome = await decodeBytes(document, { ...LIMITS, maxPixels: 300 * 300 });
    if (!outcome.ok) {
      t.fail(`${name}: ${outcome.failure.detail}`);
      continue;
    }
    t.strictSame(
      await colourAt(outcome.image.thumbnail, 0.5, 0.5),
      await reds(outcome.image.thumbnail),
      `${name} is drawn`,
    );
    t.equal(await verify(document, 300 * 300 - 1), 'TOO_MANY_PIXELS: at most 89,999', name);
  }
  t.equal(await verify(svg(image(address(jpeg, 'image/jpeg'))), 300 * 300 - 1), 'TOO_MANY_PIXELS: at most 89,999');
});

/** The colour itself if it is red, as far as WebP preserves it. */
async function reds(thumbnail: Buffer): Promise<number[] | string> {
  const colour = await colourAt(thumbnail, 0.5, 0.5);
  const [r = 0, g = 0, b = 0] = colour;
  return r > 240 && g < 15 && b < 15 ? colour : 'red';
}

t.test('a data address in CSS escapes is rejected, text that only looks like one is not', async (t) => {
  const escaped = pattern(png).replace('data', '\\64 ata');
  const corrupt = 'DAMAGED_IMAGE: its data is corrupt';
  t.equal(await verify(svg(`<rect width="9" height="9" style="fill:url('${escaped}#p')"/>`), 1e6), corrupt);
  t.equal(await verify(svg(`<rect width="9" height="9" style="content:'\\201C'"/>`), 1e6), 'ok');
  t.equal(await verify(svg('<title>Sources: data: a, b &amp; c</title><script>({data:[1,2]})</script>'), 1e6), 'ok');
  t.equal(await verify(svg('<style>@font-face{src:url(data:font/woff2;base64,d09GMgABAAAAAAAA)}</style>'), 1e6), 'ok');
});

t.test('the memory of pictures inside an SVG is estimated before decoding, each picture once', async (t) => {
  const memory = async (document: string) => (await inspectBytes(Buffer.from(document))).memory;
  const canvas = 100 * 100 * 4;
  const pixels = 300 * 300;
  t.equal(await memory(svg('')), canvas);
  t.equal(await memory(svg(image(address(png)))), canvas + pixels * 10);
  t.equal(await memory(svg(image(address(png)).repeat(50))), canvas + pixels * 10);
  t.equal(await memory(svg(image(address(png)) + image(address(png, 'image/png;a=1')))), canvas + pixels * 14);
  const deep = await red(300).toColourspace('rgb16').png().toBuffer();
  t.equal(await memory(svg(image(address(deep)))), canvas + pixels * 14);
});

/** A PNG whose header has this size; it is never decoded. */
function sized(side: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes;
}

t.test('pictures inside an SVG that need too much memory together are rejected', async (t) => {
  t.equal(
    await verify(svg(image(address(sized(9000)))), 1e8),
    'TOO_MANY_PIXELS: in the pictures inside it at most 26,843,545',
  );
  const many = Array.from({ length: 9 }, (_, index) => image(address(sized(3000), `image/png;a=${index}`)));
  t.match(await verify(svg(many.join('')), 1e8), /^TOO_MANY_PIXELS: in the pictures inside it at most/);
});

t.test('a picture of unreadable size inside an SVG is rejected', async (t) => {
  const unclear = 'DAMAGED_IMAGE: the size of a picture inside it cannot be read';
  t.equal(await verify(svg(image(address(png.subarray(0, 14)))), 1e6), unclear);
  t.equal(await verify(svg(image(address(Buffer.from('\xff\xd8\xff\xe0 no frame', 'latin1')))), 1e6), unclear);
  t.equal(await verify(svg(image(address('GIF89a'.padEnd(7)))), 1e6), unclear);
});

t.test('librsvg draws none of the formats that are not counted', async (t) => {
  const bitmap = Buffer.from('424d3a0000000000000036000000280000000100000001000000010018', 'hex');
  const others = {
    TIFF: await red(50).tiff().toBuffer(),
    PPM: Buffer.from('P6\n1 1\n255\n\xff\0\0', 'latin1'),
    BMP: Buffer.concat([bitmap, Buffer.alloc(25), Buffer.from([0, 0, 255, 0])]),
  };
  for (const [name, bytes] of Object.entries(others)) {
    for (const type of ['', `image/${name.toLowerCase()}`]) {
      const outcome = await decodeBytes(svg(image(address(bytes, type))), LIMITS);
      t.ok(outcome.ok, name);
      if (outcome.ok) t.equal((await colourAt(outcome.image.thumbnail, 0.5, 0.5))[3], 0, `${name} as "${type}"`);
    }
  }
});

t.test('pictures of the other known formats count too', async (t) => {
  for (const format of ['gif', 'webp', 'avif'] as const) {
    const bytes = await red(300)[format]().toBuffer();
    const outcome = await decodeBytes(svg(image(address(bytes))), {
      ...LIMITS,
      maxPixels: 300 * 300 - 1,
      maxHeavyPixels: 300 * 300 - 1,
    });
    t.match(outcome, { ok: false, failure: { code: 'TOO_MANY_PIXELS' } }, format);
  }
  const lossless = await red(300).webp({ lossless: true }).toBuffer();
  t.match(await verify(svg(image(address(lossless))), 300 * 300 - 1), 'TOO_MANY_PIXELS');
});
