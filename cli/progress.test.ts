import t from 'tap';
import { barText, sizeText, timeText } from './progress.ts';

t.test('the bar shows the part, the files, the rate and the time left, within the width of the terminal', (t) => {
  const all = { files: 2000, bytes: 4e9 };
  const text = barText({ files: 500, bytes: 1e9 }, all, 5e6, 100);
  t.equal(text, '[=====               ] 25 %  500/2000  5.0 MB/s  10 min left');
  t.equal(barText({ files: 500, bytes: 1e9 }, all, 5e6, 30).length, 29);
  t.equal(
    barText({ files: 0, bytes: 0 }, { files: 1, bytes: 0 }, 0, 80),
    '[                    ] 0 %  0/1',
    'an empty file',
  );
  t.equal(timeText(0.2), '1 s left');
  t.equal(timeText(3601), '1 h 1 min left');
  t.same([0, 999, 1500, 25e6].map(sizeText), ['0 B', '999 B', '1.5 kB', '25 MB']);
  t.end();
});
