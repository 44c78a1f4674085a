import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where tests put down what they measured, and the table of it (trust-tests/goals/report.ts). */
export function openReport() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-report-'));
  const file = join(folder, 'measurements.jsonl');
  return {
    env: { GALLERY_MEASUREMENTS: file },
    /** Tells, and does not judge: a busy machine breaks goals of time, and what must not be is for the tests to refuse. */
    async print() {
      const { reportOf } = await import('../../build/trust-tests/goals/report.js');
      const { table, broken } = reportOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
      console.log(table);
      if (broken) console.log('NOT HELD in this run: see above.');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
