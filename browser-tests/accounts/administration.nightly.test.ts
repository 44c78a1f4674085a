/** The administration in the browser, and the ways into an account that it opens. */
import t from 'tap';
import { createClaim, setRole } from '../../server/auth/roles/queries.ts';
import { signIn } from '../../server/testing/account.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

t.setTimeout(300_000);

const stage = await openStage(t, { registration: 'approval' });
const { app } = stage;
const password = 'rather-a-good-one';

t.test(
  'the printed link makes the first account the administrator, who approves, limits and deletes another',
  async (t) => {
    const page = await openPage(t, stage, { size: 'phone' });
    await page.goto(`/claim#token=${await createClaim(app.db)}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByText('This account becomes the administrator of this server.').waitFor();
    await page.getByLabel('Username').fill('first-one');
    await page.getByLabel('Email').fill('first-one@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Your account was created. Log in with your password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');

    const payload = { username: 'waiting-one', email: 'waiting-one@example.com', password };
    await app.inject({ method: 'POST', url: '/api/auth/register', payload });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByText('1 waiting for approval').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Approve waiting-one' }).click();
    await sawToast(t, page, 'waiting-one can log in now');
    t.equal((await app.inject({ method: 'POST', url: '/api/auth/login', payload })).statusCode, 200);

    await app.db.execute("delete from sessions using users where users.id = user_id and username = 'waiting-one'");
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'waiting-one' }).getByText('No open session').waitFor();
    await page.getByRole('button', { name: 'Manage waiting-one' }).click();
    const dialog = page.getByRole('dialog', { name: 'waiting-one' });
    await dialog.getByText('Logs in by: Password').waitFor();
    await dialog.getByText('Links to pictures keep working, and nothing is deleted.').waitFor();
    await dialog.getByLabel('Storage in GB').fill('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await sawToast(t, page, 'Saved');
    t.match(await app.db.execute("select quota_bytes from users where username = 'waiting-one'"), [
      { quota_bytes: '2500000000' },
    ]);
    await dialog.getByRole('button', { name: 'Password link' }).click();
    await eventually(t, () => page.evaluate('document.activeElement.name'), 'password', 'the proof has the focus');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByLabel('Type waiting-one to confirm').fill('someone-else');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Your password', { exact: true }).fill(password);
    await proof.getByRole('button', { name: 'Continue' }).click();
    await sawToast(t, page, "Couldn't change this.", 'The username is another one. Nothing was deleted.');
    await proof.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByLabel('Type waiting-one to confirm').fill('waiting-one');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await proof.getByLabel('Your password', { exact: true }).fill(password);
    await proof.getByRole('button', { name: 'Continue' }).click();
    await sawToast(t, page, 'Account deleted');
    t.same(await app.db.execute("select 1 from users where username = 'waiting-one'"), []);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const claimed = page.getByRole('listitem').filter({ hasText: 'First administrator' });
    await claimed.waitFor();
    await page.getByLabel('Username or email').fill('waiting-one');
    await page.getByRole('button', { name: 'Filter' }).click();
    await claimed.waitFor({ state: 'hidden' });
    await page.getByText('concerns waiting-one').first().waitFor();
    const today = await page.evaluate<string>("new Date().toLocaleDateString('sv-SE')");
    await page.getByLabel('From', { exact: true }).fill(today);
    await page.getByLabel('To', { exact: true }).fill(today);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('concerns waiting-one').first().waitFor();
  },
);

t.test('an account that waits learns it at login, and one with an invitation does not wait', async (t) => {
  const admin = await signIn(app);
  await setRole(app.db, admin.id, 'admin');
  const desk = await openPage(t, stage, { account: admin, size: 'desktop' });
  await desk.goto('/dashboard/admin?part=invites');
  await desk.getByRole('button', { name: 'New invitation' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Family');
  await dialog.getByLabel('Accounts').waitFor();
  await dialog.getByLabel('Email (optional)').fill('noor@example.com');
  t.equal(await dialog.getByLabel('Accounts').count(), 0, 'an invitation for one email creates one account');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).waitFor();
  const link = await dialog.getByRole('textbox').inputValue();

  const page = await openPage(t, stage, { size: 'phone' });
  await page.goto('/register');
  await page.getByLabel('Username').fill('slow-one');
  await page.getByLabel('Email').fill('slow-one@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await page.getByRole('main').getByText('You can log in once an administrator has approved it.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await sawToast(
    t,
    page,
    "Couldn't log in.",
    'This account waits until an administrator approves it. Try again later.',
  );

  await page.goto(new URL(link).pathname + new URL(link).hash);
  await eventually(t, () => page.getByLabel('Email').inputValue(), 'noor@example.com', 'the email of the invitation');
  await page.getByLabel('Username').fill('noor-invited');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('Your account was created. Log in with your password.').waitFor();
  await page.goto('/register#token=used');
  await page.getByText('This invitation has been used').waitFor();

  await desk.reload();
  await desk.getByRole('button', { name: 'Remove Family' }).click();
  await sawToast(t, desk, 'Invitation removed');
  await desk.getByText('No invitations yet.').waitFor();
});

t.test('the last account of the last page leads to the page before', async (t) => {
  const account = await signIn(app);
  await setRole(app.db, account.id, 'admin');
  await app.db.execute(`
    insert into users (id, username, username_key, email, email_key, password_hash, pending_since)
    select gen_random_uuid(), name, name, name, name, 'x', now() from (select 'many-' || n as name from generate_series(1, 51) n) p`);
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/admin?part=people');
  await page.getByRole('searchbox').fill('many-');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('pending');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const approve = page.getByRole('button', { name: /^Approve / });
  await eventually(t, () => approve.count(), 1, 'page 2 has the last one');
  await approve.click();
  await eventually(t, () => approve.count(), 50, 'those of page 1');
});

t.test('a job that is refused says what could not be started, and settings have sizes and defaults', async (t) => {
  const admin = await signIn(app);
  await setRole(app.db, admin.id, 'admin');
  const page = await openPage(t, stage, { account: admin, size: 'phone' });
  await page.goto('/dashboard/admin');
  await page.getByRole('button', { name: 'Start the doctor' }).waitFor();
  const json = { code: 'JOB_RUNNING', message: 'A run is in progress.' };
  await page.route('**/api/admin/jobs', (route) => route.fulfill({ status: 409, json }));
  await page.getByRole('button', { name: 'Start the doctor' }).click();
  await sawToast(t, page, "Couldn't start the doctor.", 'A run is in progress.');
  await page.goto('/dashboard/admin?part=settings');
  await page.getByText('67.1 MB').first().waitFor();
  await page.getByText('1 sec').waitFor();
  t.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
});

t.test('others see no link to the administration, and at its address a sentence without tabs', async (t) => {
  const page = await openPage(t, stage, { account: await signIn(app), size: 'desktop' });
  await page.goto('/dashboard/admin');
  await page.getByText('This page is for administrators of this server.').waitFor();
  for (const name of ['Administration', 'People', 'Audit log']) {
    t.equal(await page.getByRole('link', { name }).count(), 0, name);
  }
  t.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0);
});
