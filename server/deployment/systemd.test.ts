/** Checks the systemd unit without running it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { without } from '../testing/deployment.ts';

const unit = 'deploy/systemd/gallery.service';

t.test('the unit keeps its low exposure', { skip: without('systemd-analyze', 'systemd') }, async (t) => {
  // In tenths; 10.0 is a service without any restriction.
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', unit], {
    encoding: 'utf8',
  });
  t.equal(status, 0, stdout.trimEnd().split('\n').at(-1) ?? '');
});

t.test('the unit starts the program with settings that are valid', async (t) => {
  const text = readFileSync(unit, 'utf8');
  t.match(text, /^ExecStart=\/usr\/bin\/node --max-semi-space-size=\d+ build\/program\/main\.js$/m);
  const lines = Array.from(text.matchAll(/^Environment=(.*)$/gm), ([, line = '']) => line);
  const settings = Array.from(lines.join(' ').matchAll(/(\w+)=(\S+)/g), ([, name = '', value = '']) => [name, value]);
  t.match(readConfig(Object.fromEntries(settings)), { dataDir: '/var/lib/gallery', decoderIsolation: 'required' });
});
