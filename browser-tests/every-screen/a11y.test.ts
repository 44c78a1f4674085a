/** axe-core checks the screens that everyone uses, each in one look; the nightly tests check every screen in every look. */
import t from 'tap';
import { isArabic } from '../testing/arabic.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import type { Judge } from '../testing/screens/visit.ts';
import { openScreens, screens } from '../testing/screens.ts';
import type { PageOptions } from '../testing/stage.ts';

const stage = await openScreens(t);

type Look = Required<Pick<PageOptions, 'size' | 'locale' | 'colorScheme'>>;

const looks: Look[] = [
  { size: 'desktop', locale: 'en-US', colorScheme: 'light' },
  { size: 'phone', locale: 'ar-EG', colorScheme: 'dark' },
  { size: 'desktop', locale: 'ar-EG', colorScheme: 'light' },
  { size: 'phone', locale: 'en-US', colorScheme: 'dark' },
];

const inArabic: Judge = (t, page, state) => isArabic(t, page, state, findsNothingHere);

const usual = [
  'login, register and the 404 page',
  'the upload page',
  'the gallery',
  'the overlay and the question before a deletion',
];

const chosen = screens.filter(([name]) => usual.includes(name));
t.equal(chosen.length, usual.length, 'every screen that is named exists');

for (const [index, [name, visit]] of chosen.entries()) {
  const look = looks[index % looks.length];
  const judge = look?.locale === 'ar-EG' ? inArabic : findsNothingHere;
  t.test(`axe-core reports no violations on ${name} (${Object.values(look ?? {}).join(', ')})`, (t) =>
    visit(t, stage, { ...look }, judge),
  );
}
