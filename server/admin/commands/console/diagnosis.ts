/** What the doctor found, for people and for programs. */
import type { Diagnosis } from '../../doctor/doctor.ts';
import { type Issue, type Kind, textOf } from '../../doctor/issues.ts';
import { printable } from './table.ts';

type Print = (line: string) => void;
type Printer = {
  issue(issue: Issue): void;
  /** Prints what is known, once; without a diagnosis, the examination did not come to its end. */
  end(diagnosis?: Diagnosis): void;
};

/** Of each kind, as many are named; the rest is counted. */
const NAMED = 20;

type Told = { lines: string[]; found: number; repaired: number };

/** Grouped, when all is known. */
export function asText(print: Print): Printer {
  const told = new Map<Kind, Told>();
  let ended = false;
  return {
    issue({ kind, subject, detail, repaired }) {
      const sums = told.get(kind) ?? { lines: [], found: 0, repaired: 0 };
      told.set(kind, sums);
      sums.found += 1;
      if (repaired) sums.repaired += 1;
      const line = detail === undefined ? subject : `${subject}: ${detail}`;
      if (sums.lines.length < NAMED) sums.lines.push(printable(repaired ? `${line} (mended)` : line));
    },
    end(diagnosis) {
      if (ended) return;
      ended = true;
      for (const [kind, { lines, found, repaired }] of told) {
        const { title, todo, hint } = textOf(kind);
        const mended = repaired === 0 ? '' : `, ${repaired} of them mended`;
        print(hint ? `${title}:` : `${title}: ${found}${mended}`);
        for (const line of lines) print(`  ${line}`);
        if (found > lines.length) print(`  and ${found - lines.length} more (--json names them all)`);
        if (found > repaired) print(`  ${todo}`);
        print('');
      }
      if (!diagnosis) print('The examination did not come to its end: not everything was looked at.');
      else {
        const { images, files, healthy, isolation } = diagnosis;
        if (isolation !== undefined && isolation !== 'process')
          print(`Decoders are isolated at the level "${isolation}".`);
        print(`Looked at ${images} images and ${files} files. ${healthy ? 'All is well.' : ''}`.trim());
      }
    },
  };
}

/** Each finding as it is found, so that none waits in memory. */
export function asJson(print: Print): Printer {
  let first = true;
  let ended = false;
  const begin = () => {
    print(first ? '{"findings":[' : ',');
    first = false;
  };
  return {
    issue(issue) {
      if (ended) return;
      begin();
      print(JSON.stringify({ ...issue, detail: issue.detail ?? textOf(issue.kind).title }));
    },
    end(diagnosis) {
      if (ended) return;
      ended = true;
      if (first) begin();
      print(`],"diagnosis":${JSON.stringify(diagnosis ?? null)}}`);
    },
  };
}
