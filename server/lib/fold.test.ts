import t from 'tap';
import { foldCase, foldText } from './fold.ts';

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

t.test('a search finds what people see by what they can type', async (t) => {
  for (const [seen, typed] of [
    ['3.04.05\u202fPM', '3.04.05 pm'],
    ['a\u00a0b\u2009c\u3000d', 'a b c d'],
    ['2024\u20132025 \u2212 \u2014 \u2011', '2024-2025 - - -'],
    ['İstanbul', 'istanbul'],
    ['Diyarbakır', 'diyarbakir'],
    ['ｐｈｏｔｏ１．ＪＰＧ', 'photo1.jpg'],
    ['ｶﾞｰﾃﾞﾝ', 'ガーデン'],
    ['oﬃce ﬁle', 'office file'],
    ['Œuvre Æon ĳ', 'oeuvre aeon ij'],
    ['L’été d‘or Don´t ‚x‛', "l'été d'or don't 'x'"],
    ['“Summer„ «x»', '"summer" "x"'],
    ['in\u200bvi\u00adsi\ufeffble\u200e', 'invisible'],
    ['می\u200cخواهم', 'میخواهم'],
    ['محـمد', 'محمد'],
    ['2️⃣', '2⃣'],
    ['№ 5…', 'no 5...'],
  ] as const) {
    t.equal(foldText(seen), foldText(typed), `${seen} ~ ${typed}`);
    t.equal(foldText(foldText(seen)), foldText(seen), `${seen} folds once`);
  }
  t.not(foldText('a'), foldText('ä'));
});
