import type { Config } from '../../config/config.ts';
import { sha256Of } from '../../lib/sha256.ts';
import type { Backend } from '../backend.ts';
import { collections } from '../object-store.ts';
import type { CallTimeouts } from './calls/client.ts';
import { openCalls, type S3Calls } from './calls.ts';
import { checkBucket } from './check.ts';
import { guardedS3, isAbsent } from './failures.ts';
import { markerName, readLine, watchS3Marker } from './marker.ts';
import { createS3Store } from './objects.ts';
import { openS3Storage } from './open.ts';
import { bucketMarker } from './ownership-marker.ts';
import { setAside } from './set-aside.ts';
import { type S3Settings, s3SettingsOf } from './settings.ts';

/** @throws ConfigError, one line, if the settings lead to no usable bucket */
export async function openBucket(config: Config, timeouts?: CallTimeouts): Promise<Backend> {
  const settings = s3SettingsOf(config);
  const calls = await openCalls(settings, timeouts);
  try {
    await checkBucket(calls, settings);
    return bucketBackend(calls, settings);
  } catch (error) {
    calls.close();
    throw error;
  }
}

function bucketBackend(calls: S3Calls, settings: S3Settings): Backend {
  const { prefix } = settings;
  const restoring = `${prefix}restoring`;
  const putLine = (name: string, line: string) => {
    const bytes = Buffer.from(`${line}\n`);
    return calls.put(name, bytes, { size: bytes.length, sha256: sha256Of(bytes) });
  };
  const objects: Backend['objects'] = async (installation) =>
    createS3Store({ calls, prefix, marker: watchS3Marker(calls, settings, installation) });
  return {
    marker: bucketMarker(calls, settings),
    open: (owner, root) => openS3Storage({ ...owner, root, objects }),
    objects,
    async *everything({ only } = {}) {
      for (const collection of only ? [only] : collections) {
        for await (const { name, ...listed } of calls.listAll(`${prefix}${collection}/`)) {
          yield { ...listed, key: name.slice(prefix.length) };
        }
      }
    },
    setAside: (key, options) => guardedS3(() => setAside(calls, settings, key, options)),
    restoring: {
      read: () => guardedS3(() => readLine(calls, restoring)),
      begin: (installation) =>
        guardedS3(async () => {
          await putLine(restoring, installation);
          await putLine(markerName(settings), installation);
        }),
      end: () =>
        guardedS3(() =>
          calls.remove(restoring).catch((error: unknown) => {
            if (!isAbsent(error)) throw error;
          }),
        ),
    },
    close: () => calls.close(),
  };
}
