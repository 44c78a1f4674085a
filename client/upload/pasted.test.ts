import t from 'tap';
import { fileOf } from '../testing/files.ts';
import { namePasted } from './pasted.ts';

t.test('pictures that the clipboard names image.png are numbered', async (t) => {
  const named = namePasted([fileOf('image.png'), fileOf('image.jpeg')], 0);
  t.same(
    named.map((file) => file.name),
    ['pasted-1.png', 'pasted-2.jpeg'],
  );
  t.equal(namePasted([fileOf('image.png')], 2)[0]?.name, 'pasted-3.png');
  t.equal(named[0]?.type, 'image/png');
});

t.test('a file copied in a file manager keeps its name', async (t) => {
  const file = fileOf('holiday.jpg');
  t.equal(namePasted([file], 0)[0], file);
});
