// Reads TAP version 14, the output of a test program: https://testanything.org.

/** Maximum of printed lines per failure; a comparison of two long texts has hundreds. */
const longest = 40;

/** Reads the last line, such as "# { total: 14, pass: 12, fail: 1, skip: 1 }". A killed program has none. */
export function countsIn(text) {
  const summary = /^# \{ (total: \d+.*) \}$/m.exec(text)?.[1];
  if (summary === undefined) return { passed: 0, failed: 1 };
  const count = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}

/** @returns the names and reasons of skipped tests */
export function leftOutIn(text) {
  const lines = text.matchAll(/^ *ok \d+(?: - )?(.*?) *# SKIP ?(.*)$/gm);
  return Array.from(lines, ([, name, reason]) => `${name}: ${reason || 'no reason given'}`);
}

/** @returns each "not ok" line with tap's details, for the end of a run */
export function failuresIn(text) {
  const failures = [];
  let open;
  for (const line of text.split('\n')) {
    const [, margin] = /^( *)not ok \d+(?!.*# TODO)/.exec(line) ?? [];
    if (margin !== undefined) {
      open = { margin, lines: [line] };
      failures.push(open);
    } else if (open && line.startsWith(`${open.margin}  `) && line !== `${open.margin}  ...`) {
      if (open.lines.length < longest) open.lines.push(line);
    } else open = undefined;
  }
  return failures.map(({ lines }) => lines.join('\n'));
}
