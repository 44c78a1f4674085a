import t from 'tap';
import { type Box, cardRatio, firstRow, neighbour, phoneCard, rowHeight, rowsShown, wallWidth } from './wall.ts';

t.test('a card keeps its picture’s ratio within limits', async (t) => {
  t.equal(cardRatio(3000, 2000), 1.5);
  t.equal(cardRatio(100, 1000), 0.8);
  t.equal(cardRatio(5000, 500), 2.2);
  t.equal(cardRatio(0, 0), 4 / 3);
});

t.test('the first row ends where the wall would wrap', async (t) => {
  t.equal(firstRow([1.5, 1.5, 1.5, 1.5], 1000, 236), 2);
  t.equal(firstRow([0.8, 0.8, 0.8, 0.8, 0.8, 0.8], 1100, 236), 5);
  t.equal(firstRow([2.2], 300, 236), 1);
  t.equal(firstRow([1, 1], 5000, 236), 2);
  t.equal(firstRow([1, 1, 1], 390, null), 2);
});

t.test('row heights follow the design’s breakpoints', async (t) => {
  t.same([640, 641, 1024, 1920, 2560, 3200].map(rowHeight), [null, 200, 236, 280, 320, 380]);
});

t.test('arrow keys move to the next card, and to the nearest one above and below', async (t) => {
  const box = (left: number, top: number, width: number): Box => ({ left, top, width, height: 100 });
  const boxes = [box(0, 0, 150), box(160, 0, 150), box(320, 0, 80), box(0, 150, 200), box(210, 150, 190)];
  t.equal(neighbour(boxes, 0, 'right'), 1);
  t.equal(neighbour(boxes, 1, 'left'), 0);
  t.equal(neighbour(boxes, 2, 'right'), 3, 'from the end of a row to the next row');
  t.equal(neighbour(boxes, 3, 'left'), 2);
  t.equal(neighbour(boxes, 4, 'right'), -1);
  t.equal(neighbour(boxes, 0, 'left'), -1);
  t.equal(neighbour(boxes, 0, 'left', true), 1, 'mirrored');
  t.equal(neighbour(boxes, 0, 'right', true), -1);
  t.equal(neighbour(boxes, 2, 'down'), 4);
  t.equal(neighbour(boxes, 3, 'up'), 0);
  t.equal(neighbour(boxes, 0, 'up'), -1);
  t.equal(neighbour(boxes, 9, 'up'), -1);
});

t.test('the wall’s width excludes the shell, and a screen shows whole and cut rows', async (t) => {
  t.equal(wallWidth(1440), 1440 - 244 - 10 - 64);
  t.equal(wallWidth(390), 358);
  t.equal(phoneCard(390), 173);
  t.equal(rowsShown(1440, 900), 3);
  t.equal(rowsShown(390, 844), 3);
});
