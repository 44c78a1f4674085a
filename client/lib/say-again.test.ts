import t from 'tap';
import { sayAgain } from './say-again.ts';

t.test('the same words in a row are spoken each time', async (t) => {
  const first = sayAgain('', 'a.png removed');
  const second = sayAgain(first, 'a.png removed');
  const third = sayAgain(second, 'a.png removed');
  t.equal(first, 'a.png removed');
  t.not(second, first);
  t.not(third, second);
  t.equal(second.trim(), first);
});

t.test('silence stays silent', async (t) => {
  t.equal(sayAgain('', ''), '');
});
