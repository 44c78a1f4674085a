import t from 'tap';
import type { Issue } from '../../doctor/issues.ts';
import { asJson, asText } from './diagnosis.ts';

const issue: Issue = { kind: 'original missing', subject: 'originals/ab/\u001b[2Jx.png', repaired: false };
const diagnosis = { images: 3, files: 6, found: { 'original missing': { found: 1, repaired: 0 } }, healthy: false };

t.test('broken off, all that was found so far is told, and that it is not all', async (t) => {
  const lines: string[] = [];
  const text = asText((line) => lines.push(line));
  text.issue(issue);
  text.issue({ kind: 'rendition missing', subject: 'thumbnails/ab/y.webp', repaired: true });
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
  json.issue(issue);
  json.end();
  json.issue(issue);
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')), { issues: [issue], diagnosis: null });
});

t.test('every finding in the document has a detail', async (t) => {
  const lines: string[] = [];
  const json = asJson((line) => lines.push(line));
  json.issue(issue);
  json.issue({ ...issue, detail: 'nothing is stored under this key' });
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')).issues, [
    { detail: 'Images whose originals are gone' },
    { detail: 'nothing is stored under this key' },
  ]);
});
