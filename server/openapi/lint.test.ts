/** The document passes the recommended rules of two linters, without a warning. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import t from 'tap';

const file = 'server/openapi/openapi.json';

t.test('spectral:oas has no complaint', async (t) => {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }));
  const found = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
  t.same(
    found.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`),
    [],
  );
});

/**
 * `/api/images/delete/{id}` and `/api/images/{id}/original` only look ambiguous: an id is never `delete`. A stable link and
 * the form of a share's password only redirect.
 */
const without = ['--skip-rule=no-ambiguous-paths', '--skip-rule=operation-2xx-response'];

t.test('redocly lint has no complaint', async (t) => {
  const words = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    file,
    '--format=json',
    '--extends=recommended',
    ...without,
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const run = promisify(execFile)(process.execPath, words, { env, maxBuffer: 2 ** 24 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout);
  t.same(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems, undefined, 1));
});
