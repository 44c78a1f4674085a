import { randomBytes } from 'node:crypto';
import t from 'tap';
import { images, register, start, statusOf, upload } from '../../../testing/collections/members.ts';
import { eventually } from '../../../testing/eventually.ts';
import { readMail, startMailServer } from '../../../testing/mail/mail-server.ts';
import { query } from '../../../testing/postgres/embedded.ts';
import { admin, type Server } from '../../../testing/processes.ts';

type Env = Record<string, string>;

const mailing = (url: string) => ({
  SMTP_URL: url,
  MAIL_FROM: 'gallery@example.com',
  PUBLIC_URL: 'https://gallery.example',
});

const { env: started, server } = await start(t);
const env: Env & typeof started = started;

async function withPicture() {
  const account = await register(server);
  // A random colour, so that no other account has these bytes.
  const colour = `#${randomBytes(3).toString('hex')}`;
  const [url = ''] = await upload(server, account, [colour]);
  return { account, url, colour };
}

/** The database notifies the server's cache, so the answer changes a little later. */
const becomes = (url: string, status: number) =>
  eventually(`${url} answers ${status}`, async () => (await statusOf(url)) === status);

const hiddenOf = async ({ origin }: Server, { bearer }: { bearer: Record<string, string> }) => {
  const answer = await fetch(`${origin}/api/images/`, { headers: bearer });
  return ((await answer.json()) as { images: { hidden?: object }[] }).images[0]?.hidden;
};

t.test('find shows the owner of a picture as text and as JSON', async (t) => {
  const { account, url } = await withPicture();
  const { code, stdout, stderr } = await admin(t, ['images', 'find', url, '--json'], env);
  t.same([code, stderr], [0, '']);
  t.match(JSON.parse(stdout || '{}'), { owner: { username: account.username }, state: 'public' });
  t.match(await admin(t, ['images', 'find', url], env), {
    code: 0,
    stdout: new RegExp(`owner +"${account.username}" \\(.*@example.com\\), ${account.id}\\nfilename +a.png\\n`),
  });
  t.match(await admin(t, ['images', 'find', 'A'.repeat(22)], env), {
    code: 1,
    stdout: '',
    stderr: /^No picture has this link or id/,
  });
});

t.test(
  'a hidden picture is closed on a running server, its owner is notified by mail, and it can be shown again',
  async (t) => {
    const { account, url } = await withPicture();
    const mails = await startMailServer(t);
    const thumbnail = url.replace('.png', '/thumbnail.webp');
    t.same([await statusOf(url), await statusOf(thumbnail)], [200, 200]);
    const args = ['images', 'hide', url, '--reason', 'It shows <somebody>.', '--legal'];
    const hidden = await admin(t, args, { ...env, ...mailing(mails.url) });
    t.match(hidden, {
      code: 0,
      stdout: /: hidden\. The links answer 451 on every server.*\nThe owner was mailed\.\n$/s,
    });
    for (const link of [url, thumbnail]) await becomes(link, 451);
    t.match(await hiddenOf(server, account), { reason: 'It shows <somebody>.', legal: true });

    // A later call without a reason keeps the earlier one.
    const again = await admin(t, ['images', 'hide', url, '--no-mail'], env);
    t.match(again, { code: 0, stdout: /The links answer 451/ });
    t.match(await hiddenOf(server, account), { reason: 'It shows <somebody>.', legal: true });

    const [mail] = await mails.received(1);
    t.same(mail?.to, [`${account.username}@example.com`]);
    const { plain, html } = readMail(mail ?? { from: '', to: [], source: '' });
    for (const text of [plain, html]) t.match(text, /has hidden your picture[\s\S]*أخفى مدير/);
    t.match(plain, 'It shows <somebody>.');
    t.match(html, 'It shows &lt;somebody&gt;.');
    t.notMatch(mail?.source, url.slice(-26, -4), 'no link key');

    t.match(await admin(t, ['images', 'hidden'], env), { code: 0, stdout: /a\.png .* yes +It shows <somebody>\.\n/ });
    t.match(await admin(t, ['images', 'unhide', url], env), {
      code: 0,
      stdout: /: shown again, by the same links\.\n$/,
    });
    await becomes(url, 200);
    t.equal(await hiddenOf(server, account), undefined);
  },
);

t.test('a picture stays hidden if mailing its owner fails, and --no-mail sends no mail', async (t) => {
  const { url } = await withPicture();
  const mails = await startMailServer(t, { refuses: () => true });
  const refused = await admin(t, ['images', 'hide', url], { ...env, ...mailing(mails.url) });
  t.match(refused, { code: 1, stderr: /^The picture is hidden, but its owner could not be mailed \(EENVELOPE 550\)/ });
  t.notMatch(refused.stderr, '@');
  await becomes(url, 404);
  const silent = await admin(t, ['images', 'hide', url, '--no-mail'], { ...env, ...mailing(mails.url) });
  t.match(silent, { code: 0, stdout: /The owner was not mailed/ });
  const long = await admin(t, ['images', 'hide', url, '--reason', 'two\nlines'], env);
  t.match(long, { code: 2, stderr: /^--reason must be one line/ });
});

t.test('hiding lists the owner’s pictures with the same bytes, and --copies hides them too', async (t) => {
  const { account, url, colour } = await withPicture();
  const [copy = ''] = await upload(server, account, [colour]);
  const one = await admin(t, ['images', 'hide', url], { ...env, CDN_URL: 'https://cdn.example' });
  t.match(
    one.stdout,
    /1 other picture of this account with the same bytes is not hidden: [\da-f-]{36}\. Hide them too/,
  );
  t.match(one.stdout, `purge these at the cache in front: https://cdn.example/i/${url.slice(-26, -4)}*`);
  const stranger = await register(server);
  await upload(server, stranger, [colour]);
  await becomes(url, 404);
  t.equal(await statusOf(copy), 200);
  const both = await admin(t, ['images', 'hide', url, '--copies'], env);
  t.match(both, { code: 0, stdout: / and 1 copy of it: hidden/ });
  t.notMatch(both.stdout, 'of this account with the same bytes');
  t.match(both.stdout, /Other accounts have 1 picture with the same bytes, not hidden: [\da-f-]{36}\./);
  await becomes(copy, 404);
});

t.test('deleting a picture removes its links and bytes, and needs a confirmation', async (t) => {
  const { account, url } = await withPicture();
  const files = await images(env);
  const [kept = ''] = await upload(server, account, ['#456']);
  t.match(await admin(t, ['images', 'delete', url], env, 'delete\n'), { code: 2, stderr: /no terminal .*--yes/ });
  t.equal(await statusOf(url), 200);
  const done = await admin(t, ['images', 'delete', url, '--yes'], env);
  t.match(done, { code: 0, stdout: /^"a\.png" \(.*is deleted, and its links are dead\.\n$/, stderr: '' });
  await becomes(url, 404);
  t.equal(await statusOf(kept), 200);
  t.equal((await images(env)).length, files.length, 'the original and the thumbnail were removed');
  t.same(await query(env.DATABASE_URL, 'select * from orphaned_blobs'), []);
  const counts = `select image_count::int as count from users where id = '${account.id}'`;
  t.same(await query(env.DATABASE_URL, counts), [{ count: 1 }]);
  t.match(await admin(t, ['images', 'delete', url, '--yes'], env), { code: 1, stderr: /^No picture has this link/ });
});

t.test('an account disabled with its links shows nothing until it is enabled', async (t) => {
  const { account, url } = await withPicture();
  t.equal(await statusOf(url), 200);
  const disabled = await admin(t, ['users', 'disable', account.username, '--with-links'], env);
  t.match(disabled, { code: 0, stdout: /Its public links answer 404 until it is enabled\.\n$/ });
  await becomes(url, 404);
  const users = JSON.parse((await admin(t, ['users', 'list', '--json'], env)).stdout);
  const listed = users.find(({ id }: { id: string }) => id === account.id);
  t.match(listed, { disabled_at: /Z$/, links_silenced_at: /Z$/ });
  t.match((await admin(t, ['images', 'find', url], env)).stdout, 'the links of the whole account are silenced');
  t.equal((await admin(t, ['users', 'enable', account.username], env)).code, 0);
  await becomes(url, 200);
});
