/** Reads operators (`type:png`, `size:>5mb`, `on:2026-05-01`, `album:"Summer"`) and texts; `"type:png"` in quotes is a text. */
import { SearchTooLarge } from '../errors.ts';
import { type Filters, narrow, readOperator } from './operators.ts';
import { type TimeZone, utc } from './time-zone.ts';

/** A known operator with an invalid value, which is searched as text. */
type Note = { operator: string; value: string };

type Words = { texts: string[]; filters: Filters; notes: Note[] };

/** A value in quotes. Its maximum length prevents quadratic matching of hostile texts. */
const quoted = (name: string) => `["“”„](?<${name}>[^"“”„]{1,200})["“”„]`;
const word = new RegExp(
  `(?<!\\S)(?:${quoted('escaped')}|(?<operator>[a-z]{2,12}):(?:${quoted('between')}|(?<bare>\\S*)))(?!\\S)`,
  'giu',
);
const maxNotes = 5;
/** Each album name and text costs database time. */
const maxOfAKind = 10;
const maxTexts = 20;

/** Counts operators by kind. @throws SearchTooLarge */
function createCount() {
  const counts = new Map<string, number>();
  return (operator: string): void => {
    const count = (counts.get(operator) ?? 0) + 1;
    if (count > maxOfAKind) throw new SearchTooLarge(`${maxOfAKind} "${operator}:" operators`);
    counts.set(operator, count);
  };
}

/** @param zone of the dates @throws SearchTooLarge */
export function readWords(text: string, zone: TimeZone = utc): Words {
  const texts: string[] = [];
  const notes = new Map<string, Note>();
  let filters: Filters = {};
  const count = createCount();
  let run = '';
  let isLiteral = true;
  let at = 0;
  for (const match of text.matchAll(word)) {
    const { escaped, operator, between, bare } = match.groups ?? {};
    if (escaped !== undefined && isPlain(escaped)) continue;
    const read = operator === undefined ? undefined : readOperator(operator.toLowerCase(), between ?? bare ?? '', zone);
    if (operator !== undefined && read === undefined) continue;
    if (read === 'invalid') {
      const value = (between ?? bare ?? '').slice(0, 100).toWellFormed();
      notes.set(match[0], { operator: operator?.toLowerCase() ?? '', value });
      continue;
    }
    isLiteral = false;
    run += text.slice(at, match.index);
    at = match.index + match[0].length;
    if (read === undefined) run += escaped;
    else {
      count(operator?.toLowerCase() ?? '');
      filters = narrow(filters, read);
      texts.push(run);
      run = '';
    }
  }
  if (isLiteral) texts.push(text);
  else texts.push(...[...texts.splice(0), run + text.slice(at)].map((each) => each.trim()));
  const different = [...new Set(texts)].filter((each) => each !== '');
  if (different.length > maxTexts) throw new SearchTooLarge(`${maxTexts} texts`);
  return {
    texts: different,
    filters,
    notes: [...notes.values()].slice(0, maxNotes),
  };
}

/** Whether quoted words contain no valid operator, so that the quotes are part of the text. */
function isPlain(text: string): boolean {
  for (const { groups } of text.matchAll(word)) {
    if (groups?.operator === undefined) continue;
    const read = readOperator(groups.operator.toLowerCase(), groups.between ?? groups.bare ?? '', utc);
    if (read !== undefined && read !== 'invalid') return false;
  }
  return true;
}
