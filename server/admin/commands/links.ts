import { collectLinks, shares, type UserRow } from '../../../drizzle/schema.ts';
import { commandLine, note } from '../../audit/note.ts';
import { listUsers } from '../../auth/queries.ts';
import { first } from '../../images/each-image.ts';
import { confirm } from './console/ask.ts';
import { WrongUsage } from './console/failures.ts';
import { startProgress } from './console/progress.ts';
import type { AddCommand, Shell } from './console/shell.ts';
import { counted } from './console/size.ts';
import type { Admin } from './context.ts';
import { renewAlbumLinks, renewImageLinks, renewKeys } from './link-queries.ts';
import { accountNamed, nameOf } from './users/account.ts';

type Options = { user?: string; all?: boolean; albums: boolean; yes?: boolean };

const closing = `
For after a theft of the database or of a backup, whose rows hold every link. The old links are dead at once on every running server;
the pictures stay as they are stored. Public pages of albums get new addresses too, unless --no-albums is given. Shares and
collect links get new keys; short names and passwords stay. Guests of collect links cannot remove their earlier pictures any more. Delete links end.

Browsers and other caches keep the copies that they hold, for up to a year: empty a CDN's cache of /i/*.

If interrupted, some links are new and some are not: run it again. It renews all of them, including those that are new already.`;

export const addLinks: AddCommand = (program, shell) => {
  program
    .command('links')
    .description('manage the public links')
    .helpCommand(false)
    .command('renew')
    .description('give pictures and shares new public links, and albums with a public page a new address; asks first')
    .option('--user <account>', 'of the account with this email, username or id')
    .option('--all', 'of all accounts')
    .option('--no-albums', 'leave the public pages of albums where they are')
    .option('--yes', 'do not ask')
    .addHelpText('after', closing)
    .action(async (options: Options) => {
      if ((options.user !== undefined) === (options.all ?? false)) {
        throw new WrongUsage('Give --user <account> or --all, one of them.');
      }
      await shell.withAdmin((admin) => run(admin, options, shell));
    });
};

async function run({ db }: Admin, { user: name, albums, yes = false }: Options, { signal }: Shell): Promise<void> {
  const users = name === undefined ? await listUsers(db) : [await accountNamed(db, name)];
  const images = users.reduce((sum, { imageCount }) => sum + imageCount, 0);
  if (!yes) await confirm(warningOf(users, images, name, albums), wordOf(users, name));
  const renewed = { images: 0, albums: 0, shares: 0, collectLinks: 0 };
  const sum = () =>
    `${counted(renewed.images, 'picture')}, ${counted(renewed.albums, 'album')}, ${counted(renewed.shares, 'share')} and ` +
    counted(renewed.collectLinks, 'collect link');
  const reportPartial = () => {
    console.error(`New links for ${sum()} so far. Run the same again: it gives all of them new links.`);
  };
  signal.addEventListener('abort', reportPartial, { once: true });
  const progress = startProgress('Links', images);
  try {
    for (const { id: ownerId } of users) {
      for (let last: string | undefined = first; last !== undefined && !signal.aborted; ) {
        const ids: string[] = await renewImageLinks(db, ownerId, last);
        last = ids.at(-1);
        renewed.images += ids.length;
        progress.step(ids.length);
      }
      if (!signal.aborted) renewed.shares += await renewKeys(db, shares, ownerId);
      if (!signal.aborted) renewed.collectLinks += await renewKeys(db, collectLinks, ownerId);
      if (albums && !signal.aborted) renewed.albums += await renewAlbumLinks(db, ownerId);
    }
  } catch (error) {
    if (!signal.aborted) reportPartial();
    throw error;
  } finally {
    signal.removeEventListener('abort', reportPartial);
    progress.stop();
  }
  const account = name === undefined ? undefined : users[0];
  const { collectLinks: links, ...counts } = renewed;
  await note(db, {
    action: 'links.renewed',
    actor: commandLine,
    account,
    details: { ...counts, collect_links: links },
  });
  console.log(`New links for ${sum()}. The old ones answer 404.`);
  console.log('Browsers and other caches keep what they hold, for up to a year: empty the cache of a CDN.');
}

function warningOf(users: UserRow[], images: number, name: string | undefined, albums: boolean): string {
  const [user] = users;
  const whose = name !== undefined && user ? nameOf(user) : `all ${counted(users.length, 'account')}`;
  const pages = albums ? ", and every address of an album's public page" : '';
  return `This ends every link to the ${counted(images, 'picture')} of ${whose}${pages}: anyone who has one needs the new one.`;
}

const wordOf = ([user]: UserRow[], name: string | undefined): string =>
  name === undefined ? 'all' : (user?.username ?? 'all');
