import t from 'tap';
import { formatDuration } from './format-duration.ts';

t.test('a duration of the API is written in words of the language', async (t) => {
  t.equal(formatDuration('5m', 'en'), '5 minutes');
  t.equal(formatDuration('1h', 'en'), '1 hour');
  t.equal(formatDuration('2w', 'en'), '2 weeks');
  t.equal(formatDuration('7d', 'ar-EG'), '٧ أيام');
  t.equal(formatDuration('1y', 'ar-EG'), 'سنة');
});
