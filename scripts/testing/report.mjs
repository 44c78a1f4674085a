import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the file in which tests write measurements, and prints their table (trust-tests/goals/report.ts). */
export function openReport() {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-report-'));
  const file = join(folder, 'measurements.jsonl');
  return {
    env: { GALLERY_MEASUREMENTS: file },
    /** @returns {Promise<boolean>} whether no figure exceeded its goal, apart from those that this machine could not measure */
    async print() {
      const { reportOf } = await import('../../build/trust-tests/goals/report.js');
      const { table, broken } = reportOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
      console.log(table);
      if (broken) console.log('NOT HELD in this run: see above.');
      return !broken;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
