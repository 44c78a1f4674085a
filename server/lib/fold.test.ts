import t from 'tap';
import { foldCase } from './fold.ts';

t.test('texts that differ only in case or composition fold alike in any script', async (t) => {
  for (const [one, other] of [
    ['Holiday.JPG', 'hOLIDAY.jpg'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣΤΡΩΜΑ', 'οδοστρωμα'],
    ['ДАЧА', 'дача'],
    ['Cafe\u0301', 'café'],
    ['İstanbul', 'i\u0307stanbul'],
  ] as const) {
    t.equal(foldCase(one), foldCase(other), `${one} ~ ${other}`);
  }
});

t.test('a part of a text stays a part of it when folded', async (t) => {
  t.ok(foldCase('ΟΔΟΣΤΡΩΜΑ').includes(foldCase('οδος')));
  t.ok(foldCase('Großstadt').includes(foldCase('SSST')));
});

t.test('different letters stay different', async (t) => {
  t.not(foldCase('a'), foldCase('ä'));
  t.not(foldCase('ت'), foldCase('ث'));
});
