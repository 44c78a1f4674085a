// What a test program said, which is TAP version 14: https://testanything.org.

/** Lines of one failure that are told; a comparison of two long texts has hundreds. */
const longest = 40;

/** A program closes with a line such as "# { total: 14, pass: 12, fail: 1, skip: 1 }". One that was cut short has none. */
export function countsIn(text) {
  const summary = /^# \{ (total: \d+.*) \}$/m.exec(text)?.[1];
  if (summary === undefined) return { passed: 0, failed: 1 };
  const count = (name) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}

/** What this machine could not show: a test's name and the reason it gave. */
export function leftOutIn(text) {
  const lines = text.matchAll(/^ *ok \d+(?: - )?(.*?) *# SKIP ?(.*)$/gm);
  return Array.from(lines, ([, name, reason]) => `${name}: ${reason || 'no reason given'}`);
}

/** Each line that says "not ok", and under it what tap says of it, so that a run's end tells what failed in it. */
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
