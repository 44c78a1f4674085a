/** Opens source and target of a migration once both belong to this installation; a new target is claimed. */
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { settleInstallation } from '../../database/installation.ts';
import { filesOf } from '../../storage/backend.ts';
import { belowDataDir, ensureDataDir } from '../../storage/data-dir.ts';
import { assertOwnedIn } from '../../storage/disk/folder.ts';
import { openBackend } from '../../storage/open-backend.ts';
import { assertMarker, matchStorage, takeOver } from '../../storage/ownership/installation.ts';
import { configuredKeys } from '../../storage/sealed/keyring.ts';
import { ensureKeys } from '../../storage/sealed/validate-keys.ts';
import { createStaging } from '../../storage/staging.ts';
import type { SourceAndTarget } from './migrate-object.ts';

type Kind = Config['storage'];

type Parts = {
  config: Config;
  db: Database;
  /** This process's number (database/process-registry.ts). */
  process: bigint;
  log: { warn(details: object, message: string): void };
};

/** @throws ConfigError, one line, if a backend is unusable or not ours, or a key is missing */
export async function openSourceAndTarget(
  { config, db, process, log }: Parts,
  kinds: { from: Kind; to: Kind },
): Promise<SourceAndTarget & { close(): Promise<void> }> {
  await ensureDataDir(config.dataDir);
  const keyring = configuredKeys(config);
  const from = await openBackend(kinds.from, config);
  const to = await openBackend(kinds.to, config).catch((error) => {
    from.close();
    throw error;
  });
  try {
    const installation = await settleInstallation(db, {
      keys: (known) => ensureKeys(known, keyring),
      async storage(known) {
        const id = known.id ?? (await matchStorage(from.marker, known, log));
        await assertMarker(from.marker, id);
        await takeOver(to.marker, id);
        return id;
      },
    });
    const root = filesOf(config);
    const staging = createStaging(root, process, assertOwnedIn(root, installation));
    await belowDataDir(root, () => staging.open());
    const objects = { from: await from.objects(installation, staging), to: await to.objects(installation, staging) };
    return {
      ...objects,
      staging,
      keyring,
      async close() {
        await staging.close().catch(() => undefined);
        await objects.from.close();
        await objects.to.close();
      },
    };
  } catch (error) {
    from.close();
    to.close();
    throw error;
  }
}
