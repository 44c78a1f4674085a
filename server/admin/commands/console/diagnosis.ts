/** Prints the doctor's issues, as text or as JSON. */
import type { Diagnosis } from '../../doctor/doctor.ts';
import { type Issue, type Kind, textOf } from '../../doctor/issues.ts';
import { printable } from './table.ts';

type Print = (line: string) => void;
type Printer = {
  issue(issue: Issue): void;
  /** Prints the result, once. Without a diagnosis the check is incomplete. */
  end(diagnosis?: Diagnosis): void;
};

/** Summary of a kind that are named; further ones are only counted. */
const NAMED = 20;

type Summary = { lines: string[]; found: number; repaired: number };

export function lineOf({ subject, detail, repaired }: Issue): string {
  const line = detail === undefined ? subject : `${subject}: ${detail}`;
  return printable(repaired ? `${line} (repaired)` : line);
}

/** Prints at the end, grouped by kind. */
export function asText(print: Print): Printer {
  const byKind = new Map<Kind, Summary>();
  let ended = false;
  return {
    issue(issue) {
      const { kind, repaired } = issue;
      const sums = byKind.get(kind) ?? { lines: [], found: 0, repaired: 0 };
      byKind.set(kind, sums);
      sums.found += 1;
      if (repaired) sums.repaired += 1;
      if (sums.lines.length < NAMED) sums.lines.push(lineOf(issue));
    },
    end(diagnosis) {
      if (ended) return;
      ended = true;
      for (const [kind, { lines, found, repaired }] of byKind) {
        const { title, todo, hint } = textOf(kind);
        const suffix = repaired === 0 ? '' : `, ${repaired} of them repaired`;
        print(hint ? `${title}:` : `${title}: ${found}${suffix}`);
        for (const line of lines) print(`  ${line}`);
        if (found > lines.length) print(`  and ${found - lines.length} more (--json names them all)`);
        if (found > repaired) print(`  ${todo}`);
        print('');
      }
      if (!diagnosis) print('The check did not finish: not everything was examined.');
      else {
        const { images, files, healthy, isolation } = diagnosis;
        if (isolation !== undefined && isolation !== 'process')
          print(`Decoders are isolated at the level "${isolation}".`);
        print(`Looked at ${images} images and ${files} files. ${healthy ? 'All is well.' : ''}`.trim());
      }
    },
  };
}

/** Prints each issue as it is found, so none is held in memory. */
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
