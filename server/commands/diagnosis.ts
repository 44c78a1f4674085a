/** What the doctor found, for people and for programs. */
import type { Diagnosis } from '../doctor/doctor.ts';
import { type Finding, type Kind, textOf } from '../doctor/findings.ts';
import { printable } from './table.ts';

type Print = (line: string) => void;
type Printer = { finding(finding: Finding): void; end(diagnosis: Diagnosis): void };

/** Of each kind, as many are named; the rest is counted. */
const NAMED = 20;

/** Grouped, when all is known. */
export function asText(print: Print): Printer {
  const named = new Map<Kind, string[]>();
  return {
    finding({ kind, subject, detail, repaired }) {
      const lines = named.get(kind) ?? [];
      named.set(kind, lines);
      const line = detail === undefined ? subject : `${subject}: ${detail}`;
      if (lines.length < NAMED) lines.push(printable(repaired ? `${line} (mended)` : line));
    },
    end({ found, images, files, healthy }) {
      for (const [kind, lines] of named) {
        const { title, todo, hint } = textOf(kind);
        const sums = found[kind] ?? { found: 0, repaired: 0 };
        const mended = sums.repaired === 0 ? '' : `, ${sums.repaired} of them mended`;
        print(hint ? `${title}:` : `${title}: ${sums.found}${mended}`);
        for (const line of lines) print(`  ${line}`);
        if (sums.found > lines.length) print(`  and ${sums.found - lines.length} more (--json names them all)`);
        if (sums.found > sums.repaired) print(`  ${todo}`);
        print('');
      }
      print(`Looked at ${images} images and ${files} files. ${healthy ? 'All is well.' : ''}`.trim());
    },
  };
}

/** Each finding as it is found, so that none waits in memory. */
export function asJson(print: Print): Printer {
  let first = true;
  const begin = () => {
    print(first ? '{"findings":[' : ',');
    first = false;
  };
  return {
    finding(finding) {
      begin();
      print(JSON.stringify(finding));
    },
    end(diagnosis) {
      if (first) begin();
      print(`],"diagnosis":${JSON.stringify(diagnosis)}}`);
    },
  };
}
