import type { Config } from '../config/config.ts';
import { type Backend, filesOf } from './backend.ts';
import { diskBackend } from './disk/backend.ts';

/** @throws ConfigError, one line, if the settings lead to no usable bucket */
export async function openBackend(kind: Config['storage'], config: Config): Promise<Backend> {
  if (kind === 'disk') return diskBackend(filesOf(config));
  // Loaded only here: the SDK is large.
  const { openBucket } = await import('./s3/backend.ts');
  return openBucket(config);
}
