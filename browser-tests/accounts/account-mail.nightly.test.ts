import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { openPage, openSignedIn, stored } from '../testing/stage.ts';
import { box, button, confirmsNewEmail, field, linkTo, openMailStage } from '../testing/tasks/mailed-links.ts';
import { sawToast, toasts } from '../testing/toasts.ts';

const stage = await openMailStage(t);
const { post } = stage;
const path = '/dashboard/settings';

t.test('a changed email is confirmed by a click on the mailed page (phone)', (t) =>
  confirmsNewEmail(t, stage, { size: 'phone' }, findsNothing),
);

t.test('a pending email is cancelled, and its link then shows an error', async (t) => {
  const { page, account } = await openSignedIn(t, stage, path);
  const email = `new-${account.email}`;
  const count = post.mails.length;
  await field(page, 'Email').fill(email);
  await box(page, 'Profile').getByLabel('Current password', { exact: true }).fill(account.password);
  await button(page, 'Save').click();
  await button(page, 'Cancel change').click();
  await sawToast(t, page, 'Email change cancelled');
  t.equal(await page.evaluate('document.activeElement.querySelector("h2")?.textContent'), 'Profile', 'the focus stays');
  await post.received(count + 2);
  await page.goto(linkTo(stage, email));
  await button(page, 'Confirm email').click();
  await sawToast(t, page, "Couldn't confirm the email.");
  await toasts(page).getByText('This link has been used or is too old.').waitFor();
  // The entry of the page with the link keeps its secret, as for a reload.
  await page.goto(path);
  await page.goto('/email');
  await page.getByText('This link is incomplete.').waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL(`**${path}`);
});

t.test('mails about new logins are turned off by keyboard, and the choice persists', async (t) => {
  const { page } = await openSignedIn(t, stage, path);
  const mails = page.getByRole('checkbox', { name: 'Email me about logins from new devices' });
  await mails.waitFor();
  t.ok(await mails.isChecked());
  await mails.focus();
  await page.keyboard.press('Space');
  await sawToast(t, page, 'Saved');
  await page.reload();
  await mails.waitFor();
  t.notOk(await mails.isChecked());
});

t.test('a common password is refused under its field, at registration and in the settings', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/register');
  await field(page, 'Username').fill('newcomer');
  await field(page, 'Email').fill('newcomer@example.com');
  await field(page, 'Password').fill('Password1');
  await button(page, 'Register').click();
  const reason = 'This password is one of the most common ones. Choose another one that is harder to guess.';
  await sawToast(t, page, 'Registration failed. Please try again.', reason);
  t.equal(await field(page, 'Password').getAttribute('aria-invalid'), 'true');
  const note = await field(page, 'Password').getAttribute('aria-describedby');
  t.match(await page.locator(`[id="${note}"]`).textContent(), reason);
  await findsNothing(t, page, 'a refused password');

  const { page: settings, account } = await openSignedIn(t, stage, path, { locale: 'ar' });
  await field(settings, 'كلمة المرور الحالية').fill(account.password);
  await field(settings, 'كلمة المرور الجديدة').fill(account.email);
  await button(settings, 'تغيير كلمة المرور').click();
  await settings.getByText('كلمة المرور هذه هي اسم المستخدم أو البريد الإلكتروني. اختر كلمة أخرى.').waitFor();
  t.equal(await stored(settings, 'access_token'), account.token, 'the session is unchanged');
});
