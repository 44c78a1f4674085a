import type { Test } from 'tap';
import { startProxy as startNginx } from '../../bench/tools/proxy.ts';
import { versionOf } from '../../bench/tools/tools.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';

export const withoutNginx = versionOf('nginx') ? false : 'nginx is not installed';

export async function startProxy(t: Test, origins: string[], caches = false) {
  const proxy = await startNginx(temporaryFolder(t), origins, { caches });
  t.teardown(proxy.stop);
  return proxy;
}
