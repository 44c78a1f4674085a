import type { ImageRow } from '../../../../drizzle/schema.ts';
import { commandLine, note } from '../../../audit/note.ts';
import { countUnsealed } from '../../../database/statements/unsealed.ts';
import { markSealed } from '../../../images/seal-queries.ts';
import { CommandFailed } from '../console/failures.ts';
import type { AddCommand } from '../console/shell.ts';
import { counted } from '../console/size.ts';
import type { Admin } from '../context.ts';
import { withExclusiveLock } from '../exclusive-lock.ts';
import { eachStored, type StoredObject, sealingOf, sweepStaging, type Worked } from './stored-objects.ts';

const closing = `
The server may keep running. Each file is copied, the sealed copy opened again and compared with the SHA-256 of its row, then
put in its place; then the row is marked, and plain bytes are refused from then on. If interrupted, the same command resumes.

Exit code 1 where something could not be sealed, and with --check where something is plain, or not marked as sealed.`;

export const addEncrypt: AddCommand = (program, shell) => {
  program
    .command('encrypt')
    .description('seal what is stored plain, with ENCRYPTION_KEY')
    .option('--check', 'only count what is sealed, what is plain, and the images that are not marked as sealed')
    .addHelpText('after', closing)
    .action(({ check = false }: { check?: boolean }) =>
      shell.withAdmin((admin) => (check ? look(admin) : withExclusiveLock(admin.address, () => seal(admin)))),
    );
};

async function look(admin: Admin): Promise<void> {
  const sealing = await sealingOf(admin);
  const { before, plain, failed } = await eachStored(admin, 'Looking', ({ key }) => sealing.look(key));
  const unmarked = await countUnsealed(admin.db);
  console.log(`${counted(before, 'file')} sealed, ${plain} plain.`);
  if (unmarked > 0) console.log(`${counted(unmarked, 'image')} not marked as sealed.`);
  if (failed > 0) {
    throw new CommandFailed(
      `${counted(failed, 'file')} could not be looked at, or opened by any key, or plain though marked as sealed: see above.`,
    );
  }
  if (plain > 0 || unmarked > 0) throw new CommandFailed('"encrypt" without --check seals and marks them.');
}

async function seal(admin: Admin): Promise<void> {
  const { db } = admin;
  const sealing = await sealingOf(admin);
  await note(db, { action: 'encrypt', actor: commandLine });
  await sweepStaging(admin);
  // A sealed original may have been replaced by plain bytes; only its SHA-256 shows whether they are right.
  const work = ({ key, sha256, sealed, put }: StoredObject) =>
    sealed && sha256 === null ? sealing.look(key) : sealing.seal(key, sha256, put);
  // Marked last: if killed between the two steps, a marked row would refuse its plain picture.
  const finish = async (row: ImageRow, { original, renditions }: Worked) => {
    if (!original || (row.sealed && row.renditionsSealed)) return;
    await markSealed(db, row, renditions ? 'all' : 'original');
  };
  const { done, before, failed } = await eachStored(admin, 'Sealing', work, finish);
  const sum = `${counted(done, 'file')} sealed, ${before} already were`;
  if (failed > 0) throw new CommandFailed(`${sum}, ${failed} could not be: they stay as they are, see above.`);
  console.log(`${sum}.`);
  const unmarked = await countUnsealed(db);
  if (unmarked === 0) return;
  console.log(
    `${counted(unmarked, 'image')} not marked as sealed, because they changed meanwhile: run the same again.`,
  );
}
