/** The administration, the registration by invitation, and the claim of the first administrator. The format is that of screens.mjs. */
import { says } from './says.mjs';

const heading = (page) => page.getByRole('heading', { level: 1 }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
/** Filled by `makeAdministration`. */
const links = {};

async function open(page, path) {
  await page.goto(path);
  await heading(page);
  await page.waitForLoadState('networkidle');
}

async function openClaim(page) {
  await says(page, { setup: { command: 'admin users promote NAME' } });
  const json = { email: null, makes_admin: true };
  await page.route('**/api/auth/invite', (route) => route.fulfill({ json }));
  await open(page, '/claim#token=any');
}

/** As if there were no administrator. */
async function openWithoutAdmin(page, path) {
  await says(page, { setup: { command: 'admin users promote NAME' } });
  await open(page, path);
}

const openPart = (part) => (page) => open(page, `/dashboard/admin?part=${part}`);

/** @type {typeof import('./screens.mjs').screens} */
export const administration = [
  { name: 'admin-overview', as: 'manager', show: (page) => open(page, '/dashboard/admin') },
  { name: 'admin-people', as: 'manager', show: openPart('people') },
  {
    name: 'admin-account',
    as: 'manager',
    show: async (page, _pictures, say) => {
      await openPart('people')(page);
      await page.getByRole('main').getByRole('listitem').last().getByText(say('Manage')).click();
      await page.getByRole('dialog').getByLabel(say('Most images')).waitFor();
    },
  },
  { name: 'admin-invites', as: 'manager', show: openPart('invites') },
  {
    name: 'admin-invite-made',
    as: 'manager',
    show: async (page, _pictures, say) => {
      await openPart('invites')(page);
      await button(page, say('New invitation')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say('Name'), { exact: true }).fill('Family');
      await button(dialog, say('Create invitation')).click();
      await button(dialog, say('Copy')).waitFor();
    },
  },
  {
    name: 'admin-invite-dialog',
    as: 'manager',
    show: async (page, _pictures, say) => {
      await openPart('invites')(page);
      await button(page, say('New invitation')).click();
      await page.getByRole('dialog').getByLabel(say('Name'), { exact: true }).waitFor();
    },
  },
  { name: 'admin-audit', as: 'manager', show: openPart('audit') },
  { name: 'admin-settings', as: 'manager', show: openPart('settings') },
  {
    name: 'invited',
    as: 'nobody',
    show: (page) => open(page, new URL(links.invite).pathname + new URL(links.invite).hash),
  },
  { name: 'invite-used', as: 'nobody', show: (page) => open(page, '/register#token=used') },
  { name: 'login-no-admin', as: 'nobody', show: (page) => openWithoutAdmin(page, '/login') },
  { name: 'register-no-admin', as: 'nobody', show: (page) => openWithoutAdmin(page, '/register') },
  { name: 'setup', as: 'nobody', show: (page) => openWithoutAdmin(page, '/setup') },
  {
    name: 'setup-wrong',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await openWithoutAdmin(page, '/setup');
      await page.getByRole('textbox').fill('not-the-token-of-this');
      await button(page, say('Continue')).click();
      await page.getByText(say("This isn't the setup token of this server.")).waitFor();
    },
  },
  { name: 'claim', as: 'nobody', show: openClaim },
  { name: 'claim-member', as: 'newcomer', show: openClaim },
  { name: 'claim-used', as: 'nobody', show: (page) => open(page, '/claim#token=any') },
  {
    name: 'register-closed',
    as: 'nobody',
    show: async (page) => {
      await says(page, { registration: 'closed' });
      await open(page, '/register');
    },
  },
  {
    name: 'admin-invites-closed',
    as: 'manager',
    show: async (page) => {
      await says(page, { registration: 'closed' });
      await openPart('invites')(page);
    },
  },
  {
    name: 'settings-no-password',
    as: 'newcomer',
    show: async (page) => {
      await says(page, { has_password: false }, 'account');
      await says(page, { has_password: false }, 'account/factors');
      await open(page, '/dashboard/settings');
      await page.evaluate('document.querySelector("[type=radio]").closest("section").scrollIntoView()');
    },
  },
];

/** Makes an account an administrator, and an invitation. */
export async function makeAdministration({ origin, app }, { access_token: token, user }) {
  await app.db.execute(`update users set role = 'admin' where id = '${user.id}'`);
  const answer = await fetch(`${origin}/api/admin/invites`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Noor', email: 'noor@example.com', quota_bytes: 5_000_000_000 }),
  });
  links.invite = (await answer.json()).url;
}
