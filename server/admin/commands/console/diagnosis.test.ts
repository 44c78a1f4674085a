import t from 'tap';
import type { Issue } from '../../doctor/issues.ts';
import { asJson, asText } from './diagnosis.ts';

const issue: Issue = { kind: 'original missing', subject: 'originals/ab/\u001b[2Jx.png', repaired: false };
const diagnosis = { images: 3, files: 6, found: { 'original missing': { found: 1, repaired: 0 } }, healthy: false };

t.test('an interrupted check prints the issues found so far and that it is incomplete', async (t) => {
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
    'Thumbnails and screen sizes that are gone: 1, 1 of them repaired',
    /y\.webp \(repaired\)/,
    '',
    /did not finish/,
  ]);
  text.end(diagnosis);
  t.equal(lines.length, 8, 'once');
});

t.test('an interrupted check still prints a valid JSON document', async (t) => {
  const lines: string[] = [];
  const json = asJson((line) => lines.push(line));
  json.issue(issue);
  json.end();
  json.issue(issue);
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')), { findings: [issue], diagnosis: null });
});

t.test('every issue in the JSON document has a detail', async (t) => {
  const lines: string[] = [];
  const json = asJson((line) => lines.push(line));
  json.issue(issue);
  json.issue({ ...issue, detail: 'nothing is stored under this key' });
  json.end(diagnosis);
  t.match(JSON.parse(lines.join('\n')).findings, [
    { detail: 'Images whose originals are gone' },
    { detail: 'nothing is stored under this key' },
  ]);
});
