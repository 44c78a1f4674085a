/** What Prometheus' own linter says of /metrics. */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const skip = isInstalled ? false : 'promtool is not installed (Debian: the package prometheus)';

t.test('promtool check metrics finds nothing to say about a server at work', { skip }, async (t) => {
  const app = await buildTestApp(t, { metricsPort: 0 });
  await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
  const { text: input = '' } = (await app.metrics?.()) ?? {};
  t.match(input, /^gallery_images_stored_total 1$/m);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  t.equal(stdout + stderr, '');
  t.equal(status, 0);
});
