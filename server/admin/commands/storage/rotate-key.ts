import { commandLine, note } from '../../../audit/note.ts';
import { retainKeys } from '../../../database/installation.ts';
import { keysInUse } from '../../../storage/sealed/key-registry.ts';
import type { Seals } from '../../../storage/seals.ts';
import { CommandFailed, WrongUsage } from '../console/failures.ts';
import type { AddCommand } from '../console/shell.ts';
import { counted } from '../console/size.ts';
import type { Admin } from '../context.ts';
import { withExclusiveLock } from '../exclusive-lock.ts';
import { eachStored, type StoredObject, sealingOf, sweepStaging } from './stored-objects.ts';

const closing = `
Set the new key as ENCRYPTION_KEY and the one before as ENCRYPTION_KEY_PREVIOUS, for the server and for this command. The server may keep
running. The bytes are not sealed again: only the wrapped key in each file's header is written. If interrupted, the same
command continues where it stopped; until it has finished, both keys are needed.

--without takes a key off the list that was set by mistake: where anything turns out to be sealed by it, it stays. Without ENCRYPTION_KEY
nothing is written then.`;

export const addRotateKey: AddCommand = (program, shell) => {
  program
    .command('rotate-key')
    .description('put all that is sealed under ENCRYPTION_KEY, so that ENCRYPTION_KEY_PREVIOUS may be forgotten')
    .option('--without <id>', 'forget a key that is not given and has sealed nothing; may be repeated', keyId)
    .addHelpText('after', closing)
    .action(({ without = [] }: { without?: string[] }) =>
      shell.withAdmin((admin) => withExclusiveLock(admin.address, () => run(admin, without)), { withoutKeys: without }),
    );
};

function keyId(text: string, before: string[] = []): string[] {
  if (/^[0-9a-f]{32}$/.test(text)) return [...before, text];
  throw new WrongUsage('--without takes the id of a key, as the server names it when it does not start.');
}

async function run(admin: Admin, without: readonly string[]): Promise<void> {
  const sealing = without.length > 0 ? (await admin.storage()).sealing : undefined;
  const work = workOf(sealing ?? (await sealingOf(admin)));
  const { present, given } = work;
  const isForgotten = (id: string) => (present === undefined ? without.includes(id) : id !== present);
  const processRegistry = await admin.processRegistry();
  const inUseBefore = [...given, ...without].filter(isForgotten).filter(await keysInUse(processRegistry));
  if (inUseBefore.length > 0) {
    throw new CommandFailed(
      `A running server, or another command, seals by the key ${inUseBefore.join(' and ')}, and may not be able to open what is put under ` +
        'another one: first start it with this ENCRYPTION_KEY and the key before as ENCRYPTION_KEY_PREVIOUS. Nothing was changed.',
    );
  }
  const details = { key: present ?? null, without: without.join(' ') };
  await note(admin.db, { action: 'rotate-key', actor: commandLine, details });
  await sweepStaging(admin);
  const { done, before, plain, failed } = await eachStored(admin, 'Keys', work.each);
  const sum = `${counted(done, 'file')} put under the present key, ${before} already were`;
  if (failed > 0) throw new CommandFailed(`${sum}, ${failed} could not be, see above: keep the previous key.`);

  const { storage, storageFallback } = admin.config;
  if (storageFallback !== undefined) {
    throw new CommandFailed(
      `${sum}, in STORAGE (${storage}). What was copied to the other backend (${storageFallback}) before may be sealed by the key before: ` +
        'it is kept until this has run without STORAGE_FALLBACK.',
    );
  }
  let inUse: readonly string[] = [];
  await retainKeys(admin.db, async (known) => {
    inUse = known.filter(isForgotten).filter(await keysInUse(processRegistry));
    return known.filter((id) => !isForgotten(id) || inUse.includes(id));
  });
  if (inUse.length > 0) {
    throw new CommandFailed(
      `${sum}. A running server, or another command, has begun to seal by the key ${inUse.join(' and ')} meanwhile: start it ` +
        'with this ENCRYPTION_KEY and the key before as ENCRYPTION_KEY_PREVIOUS, then run the same again. Until then both are needed.',
    );
  }
  console.log(`${sum}.${plain > 0 ? ` ${counted(plain, 'file')} plain: "encrypt" seals them.` : ''}`);
  if (present === undefined) return;
  console.log(
    'Nothing is sealed by another key any more. Once every server runs with this ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS may be ' +
      'taken away; keep the previous key as long as backups that were made with it.',
  );
}

/** Without a key that seals, it only reads. */
function workOf({ keyring, look, rewrap }: Seals) {
  const present = keyring.present?.id;
  const each = ({ key, sha256, put }: StoredObject) => (present === undefined ? look(key) : rewrap(key, sha256, put));
  return { present, given: keyring.ids, each };
}
