import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import type { Config } from '../../../config/config.ts';
import { createMailer, failureOf } from '../../../mail/mailer.ts';
import { CommandFailed, WrongUsage } from '../console/failures.ts';
import type { Shell } from '../console/shell.ts';
import { counted } from '../console/size.ts';
import { hiddenMail } from './hidden-mail.ts';
import { copiesLine, elsewhereLine, imageArgument, imageNamed, titleOf } from './image.ts';
import { findCopies, hideImages, type OwnedImage, showImages } from './queries.ts';

/** Characters. */
const maxReason = 500;

/** @throws WrongUsage if the text cannot be shown to the owner in one line */
function readReason(text: string | undefined): string | null {
  if (text === undefined) return null;
  const reason = text.trim();
  if (reason === '' || [...reason].length > maxReason || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(reason)) {
    throw new WrongUsage(`--reason must be one line of 1 to ${maxReason} characters.`);
  }
  return reason;
}

/** Mails the owner. @returns false if this server sends no mail. @throws CommandFailed */
async function notifyOwner(config: Config, { image, owner }: OwnedImage): Promise<boolean> {
  const { smtpUrl: url, mailFrom: from, publicUrl: origin } = config;
  if (!url || !from || !origin) return false;
  const facts = { username: owner.username, filename: image.filename, reason: image.hiddenReason, origin };
  try {
    await createMailer({ url, from }).send(owner.email, hiddenMail(facts));
    return true;
  } catch (error) {
    const { code = 'no code', responseCode } = failureOf(error);
    throw new CommandFailed(
      `The picture is hidden, but its owner could not be mailed (${[code, responseCode].filter(Boolean).join(' ')}). They see it in the gallery.`,
    );
  }
}

/** Notes about copies that this gallery's servers cannot close. */
function beyondNotes({ cdnUrl, linkMode }: Config, paths: string[]): string[] {
  const redirected = 'LINK_MODE is redirect: a link to the bucket that was given out before works for up to a minute.';
  const purge = `CDN_URL is set: purge these at the cache in front: ${paths.map((path) => cdnUrl + path).join(' ')}`;
  return [...(linkMode === 'redirect' ? [redirected] : []), ...(cdnUrl ? [purge] : [])];
}

type Options = { reason?: string; legal?: boolean; copies?: boolean; mail: boolean };

async function hide(shell: Shell, text: string, { reason, legal = false, copies = false, mail }: Options) {
  const why = { reason: readReason(reason), legal };
  await shell.withAdmin(async ({ db, config }) => {
    const { image, owner } = await imageNamed(db, text);
    const ids = [image.id, ...(copies ? (await findCopies(db, image)).map(({ id }) => id) : [])];
    const rows = await db.transaction(async (tx) => {
      const hidden = await hideImages(tx, ids, why);
      const details = { image: image.id, images: hidden.length, legal };
      if (hidden.length > 0) await note(tx, { action: 'image.hidden', actor: commandLine, account: owner, details });
      return hidden;
    });
    const row = rows.find(({ id }) => id === image.id);
    if (!row) throw new CommandFailed('This picture has just been deleted.');
    const also = rows.length > 1 ? ` and ${counted(rows.length - 1, 'copy', 'copies')} of it` : '';
    console.log(
      `${titleOf(image)}${also}: hidden. The links answer ${row.hiddenLegal ? 451 : 404} on every server from now on.`,
    );
    const left = await copiesLine(db, image);
    if (left) console.log(`${left}. Hide them too with --copies.`);
    const elsewhere = await elsewhereLine(db, image);
    if (elsewhere) console.log(elsewhere);
    const paths = rows.map(({ linkKey }) => `/i/${linkKey}*`);
    for (const line of beyondNotes(config, paths)) console.log(line);
    const mailed = mail && (await notifyOwner(config, { image: row, owner }));
    console.log(mailed ? 'The owner was mailed.' : 'The owner was not mailed; they see it in the gallery.');
  });
}

export function addImagesHide(images: Command, shell: Shell): void {
  images
    .command('hide')
    .description('close the public links of a picture; its owner is notified and keeps it')
    .argument('<link>', imageArgument)
    .option('--reason <text>', 'why, in one line: its owner reads it')
    .option('--legal', 'for legal reasons: the links answer 451 instead of 404; "show" takes it back')
    .option('--copies', 'also the other pictures of the account with the same bytes')
    .option('--no-mail', 'do not mail the owner')
    .action((text: string, options: Options) => hide(shell, text, options));
}

export function addImagesShow(images: Command, shell: Shell): void {
  images
    .command('show')
    .alias('unhide')
    .description('open the public links of a hidden picture again')
    .argument('<link>', imageArgument)
    .option('--copies', 'also the other pictures of the account with the same bytes')
    .action((text: string, { copies = false }: { copies?: boolean }) =>
      shell.withAdmin(async ({ db }) => {
        const { image, owner } = await imageNamed(db, text);
        const ids = [image.id, ...(copies ? (await findCopies(db, image)).map(({ id }) => id) : [])];
        const shown = await db.transaction(async (tx) => {
          const rows = await showImages(tx, ids);
          const details = { image: image.id, images: rows.length };
          await note(tx, { action: 'image.shown', actor: commandLine, account: owner, details });
          return rows;
        });
        const waits = image.waiting || shown.some(({ id, waiting }) => id === image.id && waiting);
        const opened = shown.length === 0 ? 'was not hidden' : 'shown again, by the same links';
        console.log(`${titleOf(image)}: ${waits ? 'waits until its owner admits it' : opened}.`);
        if (shown.length > 1) console.log(`${counted(shown.length, 'picture')} in all.`);
        if (owner.linksSilencedAt) console.log('The links of its account stay silenced: see "users enable".');
      }),
    );
}
