// `npm run audit`: checks all dependencies, development ones included, for advisories. Exits with 1 for a high or critical
// one, and with 0 and a warning if the registry does not answer.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

const refused = new Set(['high', 'critical']);

/** @returns {{ code: number, lines: string[] }} the meaning of npm's report */
function judge(report) {
  const found = report?.vulnerabilities;
  if (report?.metadata?.vulnerabilities === undefined || found === undefined) {
    const why = report?.message ?? report?.error?.summary ?? 'npm gave no report';
    return {
      code: 0,
      lines: [
        `WARNING: the registry could not be queried for advisories (${String(why).split(' - ')[0]}).`,
        'This means "not checked", not "clean": the dependencies may have advisories.',
      ],
    };
  }
  const bad = Object.values(found).filter(({ severity }) => refused.has(severity));
  const { total } = report.metadata.vulnerabilities;
  if (bad.length === 0) return { code: 0, lines: [`No high or critical advisory (${total} less severe).`] };
  return { code: 1, lines: bad.map(lineFor) };
}

function lineFor({ name, severity, range, via }) {
  const titles = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`));
  return `${severity}: ${name} ${range}: ${titles.join('; ')}`;
}

function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: dirname(import.meta.dirname),
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 64 * 2 ** 20,
  timeout: 120_000,
  shell: process.platform === 'win32',
});
const { code, lines } = judge(reportOf(stdout));
for (const line of lines) console.log(line);
process.exitCode = code;
