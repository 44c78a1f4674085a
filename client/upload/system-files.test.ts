import t from 'tap';
import { withoutSystemFiles } from './system-files.ts';

t.test('hidden files and those of systems are left out and counted', async (t) => {
  const left = ['._a.png', '.DS_Store', 'Thumbs.db', 'ehthumbs.db', 'Desktop.ini', 'Icon\r', '.hidden.png'];
  const kept = ['a.png', 'thumbs.db.png', 'my desktop.ini', 'icon.svg'];
  const { files, leftOut } = withoutSystemFiles([...left, ...kept].map((name) => new File([], name)));
  t.same([files.map(({ name }) => name), leftOut], [kept, left.length]);
});
