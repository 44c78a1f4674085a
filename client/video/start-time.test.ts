import t from 'tap';
import { startSeconds } from './start-time.ts';

t.test('start times are parsed in every notation', async (t) => {
  const rows: [string | null, number][] = [
    ['90', 90],
    ['90s', 90],
    ['1m30s', 90],
    ['1m30', 90],
    ['1h2m3s', 3723],
    ['2h', 7200],
    ['', 0],
    [null, 0],
    ['-5', 0],
    ['1.5', 0],
    ['5;alert(1)', 0],
  ];
  for (const [text, seconds] of rows) t.equal(startSeconds(text), seconds, String(text));
});
