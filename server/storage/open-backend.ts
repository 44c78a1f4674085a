import type { Config } from '../config/config.ts';
import { filesOf, type Place } from './backend.ts';
import { diskPlace } from './disk/backend.ts';

/** @throws ConfigError, one line, for settings that lead to no bucket that can be used */
export async function openPlace(kind: Config['storage'], config: Config): Promise<Place> {
  if (kind === 'disk') return diskPlace(filesOf(config));
  // Only here: the SDK is large.
  const { openBucket } = await import('./s3/backend.ts');
  return openBucket(config);
}
