/** The pages of invitations and of the first administrator's link, for each value of REGISTRATION. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { insertInvite } from '../../server/auth/invites/queries.ts';
import { createClaim, setRole } from '../../server/auth/roles/queries.ts';
import { signIn } from '../../server/testing/account.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage, openStage, type Stage } from '../testing/stage.ts';

const open = await openStage(t);
const byInvitation = await openStage(t, { registration: 'invite' });
const closed = await openStage(t, { registration: 'closed' });

const textboxes = (page: Page) => page.getByRole('textbox').count();

async function invite({ app }: Stage, email: string | null = null): Promise<string> {
  const plain = { name: 'Family', maxUses: 1, quotaImages: null, quotaBytes: null, expiresAt: null };
  return (await insertInvite(app.db, { ...plain, email })).secret;
}

/** As someone who pastes a link into the address bar of this tab. */
const paste = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

t.test('a link pasted into the tab that shows its page is taken', async (t) => {
  const page = await openPage(t, open);
  await page.goto('/claim#token=an-old-one');
  await page.getByText('This link has been used').waitFor();
  t.equal(await page.getByText('This server has no administrator.').count(), 0);
  await findsNothingHere(t, page, 'a dead claim');
  await paste(page, `token=${await createClaim(open.app.db)}`);
  await page.getByText('This server has no administrator.').waitFor();
  t.equal(new URL(page.url()).hash, '');

  await page.goto('/register');
  await page.getByLabel('Email').waitFor();
  await paste(page, `token=${await invite(open, 'noor@example.com')}`);
  await eventually(t, () => page.getByLabel('Email').inputValue(), 'noor@example.com', 'the invitation is taken');
});

t.test('a reload keeps an invitation until it is used', async (t) => {
  const page = await openPage(t, open);
  await page.goto('/login');
  await page.goto(`/register#token=${await invite(open)}`);
  await page.getByText('You are registering with an invitation.').waitFor();
  await page.reload();
  await page.getByText('You are registering with an invitation.').waitFor();
  await page.getByLabel('Username').fill('a-guest');
  await page.getByLabel('Email').fill('a-guest@example.com');
  await page.getByLabel('Password', { exact: true }).fill('rather-a-good-one');
  await page.keyboard.press('Enter');
  await page.getByText('Your account was created.').waitFor();
  t.match(await open.app.db.execute('select uses from invites where email is null'), [{ uses: 1 }]);
  t.equal(await page.evaluate('history.state?.linkToken'), undefined);
  await page.goBack();
  t.equal(new URL(page.url()).pathname, '/login', 'the page with the secret is left');
});

t.test(
  'a used invitation is refused with a reason, and the form is shown only where it works without one',
  async (t) => {
    const page = await openPage(t, open);
    await page.goto('/register#token=used');
    await page.getByText('You can also create an account without an invitation.').waitFor();
    t.equal(await textboxes(page), 3);
    const shut = await openPage(t, byInvitation);
    await shut.goto('/register#token=used');
    await shut.getByRole('alert').filter({ hasText: 'This invitation has been used' }).waitFor();
    await eventually(t, () => textboxes(shut), 0, 'no form for a used invitation');
    await findsNothingHere(t, shut, 'a used invitation');
    // The address is /register already, and a reload keeps the invitation.
    await shut.goto('/login');
    await shut.goto('/register');
    await shut.getByText('Registration on this server needs an invitation.').waitFor();
    await eventually(t, () => textboxes(shut), 0, 'no form without an invitation');
    await shut.goto(`/register#token=${await invite(byInvitation)}`);
    await eventually(t, () => textboxes(shut), 3, 'a form with an invitation');
  },
);

t.test('a closed server offers no registration and creates no invitations', async (t) => {
  const page = await openPage(t, closed);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
  await eventually(t, () => page.getByRole('link', { name: 'Sign Up' }).count(), 0, 'no link to the registration');
  for (const path of ['/register', `/register#token=${await invite(closed)}`]) {
    await page.goto(path);
    await page.getByText('is closed').or(page.getByText('Registration is closed')).first().waitFor();
    await eventually(t, () => textboxes(page), 0, `${path} shows no form`);
    await page.goto('/login');
  }
  const admin = await signIn(closed.app);
  await setRole(closed.app.db, admin.id, 'admin');
  const desk = await openPage(t, closed, { account: admin });
  await desk.goto('/dashboard/admin?part=invites');
  await desk.getByText('Registration on this server is closed, so no invitation works.').waitFor();
  t.equal(await desk.getByRole('button', { name: 'New invitation' }).count(), 0);
});
