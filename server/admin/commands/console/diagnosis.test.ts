import t from 'tap';
import type { Finding } from '../../doctor/issues.ts';
import { asJson, asText } from './diagnosis.ts';

const finding: Finding = { kind: 'original missing', subject: 'originals/ab/\u001b[2Jx.png', repaired: false };
const diagnosis = { images: 3, files: 6, found: { 'original missing': { found: 1, repaired: 0 } }, healthy: false };

t.test('broken off, all that was found so far is told, and that it is not all', async (t) => {
  const lines: string[] = [];
  const text = asText((line) => lines.push(line));
  text.finding(finding);
  text.finding({ kind: 'rendition missing', subject: 'thumbnails/ab/y.webp', repaired: true });
  t.same(lines, []);
  text.end();
  t.match(lines, [
    'Images whose originals are gone: 1',
    /originals\/ab\/x\.png/,
    /bring it back from a backup/,
    '',
    'Thumbnails and screen sizes that are gone: 1, 1 of them mended',
    /y\.webp \(mended\)/,
    '',
    /did not come to its end/,
  ]);
  text.end(diagnosis);
  t.equal(lines.length, 8, 'once');
});

t.test('broken off, the document is still one of JSON', async (t) => {
  const lines: string[] = [];
  const json = asJson((line) => lines.push(line));
  json.finding(finding);
  json.end();
  json.finding(finding);
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')), { findings: [finding], diagnosis: null });
});

t.test('every finding in the document has a detail', async (t) => {
  const lines: string[] = [];
  const json = asJson((line) => lines.push(line));
  json.finding(finding);
  json.finding({ ...finding, detail: 'nothing is stored under this key' });
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')).findings, [
    { detail: 'Images whose originals are gone' },
    { detail: 'nothing is stored under this key' },
  ]);
});
