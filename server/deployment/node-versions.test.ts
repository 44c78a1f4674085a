/** package.json's `engines` says which Node is supported; everything else that names one agrees. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import t from 'tap';

type NodeVersion = { supported: string; isSupported(version: string): boolean };
type Pins = Record<string, Record<string, { version: string; integrity: string }>>;

const { supported, isSupported }: NodeVersion = await import(pathToFileURL('scripts/node-version.mjs').href);

t.test(
  'the supported lines are 20, 22, 24, 26 and later ones, each from the version that the packages need',
  async (t) => {
    for (const version of ['20.19.0', '22.13.0', '24.0.0', '26.0.0', '27.0.0']) t.ok(isSupported(version), version);
    for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.12.0', '23.11.1', '25.9.0'])
      t.notOk(isSupported(version), version);
  },
);

for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/run/installation.md']) {
  t.test(`${page} names the supported lines`, async (t) => {
    t.ok(readFileSync(page, 'utf8').includes(supported), supported);
  });
}

t.test('every stage of the image and the guide have the same Node, of a supported line', async (t) => {
  const named = (path: string) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/\bnode:(\d+\.\d+\.\d+)-slim/g), ([, version = '']) => version);
  const [version = '', ...others] = named('Dockerfile');
  t.ok(isSupported(version), version);
  t.ok(others.length > 0);
  for (const other of [...others, ...named('docs/run/installation.md')]) t.equal(other, version);
});

t.test('each supported line has a pinned Node for the gate', async (t) => {
  const pins: Pins = JSON.parse(readFileSync('scripts/testing/node-lines.json', 'utf8'));
  for (const [platform, nodes] of Object.entries(pins)) {
    for (const line of ['20', '22', '24', '26']) t.ok(nodes[line], `${platform} ${line}`);
    for (const { version } of Object.values(nodes)) t.ok(isSupported(version), `${platform} ${version}`);
  }
});
