import t from 'tap';
import { backUpBesideServer } from '../../../testing/collections/backup-beside.ts';

t.setTimeout(280_000);

t.test('a backup made during uploads and deletions is restored whole, on DATABASE_URL', (t) =>
  backUpBesideServer(t, 'DATABASE_URL'),
);
