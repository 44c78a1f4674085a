import { setRole } from '../../../server/auth/roles/queries.ts';
import { signIn } from '../../../server/testing/account.ts';
import { openPage } from '../stage.ts';
import { button, heading, type Visit } from './visit.ts';

/** What administrators see, and the pages of their links. */
export const administration: Visit = async ({ t, stage, options, say, judge }) => {
  const account = await signIn(stage.app);
  await setRole(stage.app.db, account.id, 'admin');
  const page = await openPage(t, stage, { ...options, account });
  for (const [part, name] of [
    ['overview', 'Overview'],
    ['people', 'People'],
    ['audit', 'Audit log'],
    ['settings', 'Server settings'],
    ['invites', 'Invitations'],
  ] as const) {
    await page.goto(`/dashboard/admin?part=${part}`);
    await page.getByRole('heading', { level: 2, name: say(name) }).waitFor();
    await page.waitForLoadState('networkidle');
    await judge(page, `the administration: ${part}`);
  }
  await button(page, say('New invitation')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Name'), { exact: true }).fill('عائلة');
  await judge(page, 'a new invitation');
  await button(dialog, say('Create invitation')).click();
  await button(dialog, say('Copy')).waitFor();
  await judge(page, 'a created invitation');
  const link = await dialog.getByRole('textbox').inputValue();
  await page.goto('/dashboard/admin?part=people');
  await page
    .getByRole('button', { name: new RegExp(`^${say('Manage')}`) })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel(say('Most images')).waitFor();
  await judge(page, 'an account');
  await page.goto('/claim#token=any');
  await heading(page);
  await judge(page, 'the claim of the first administrator');
  const guest = await openPage(t, stage, options);
  await guest.goto(new URL(link).pathname + new URL(link).hash);
  await guest.getByLabel(say('Email')).waitFor();
  await judge(guest, 'the registration by invitation');
};
