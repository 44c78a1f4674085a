/** Collect links: their dialog, My links, and what guests see. The format is that of screens.mjs. */
import { makeAlbum, upload } from './server.mjs';

const heading = (page) => page.getByRole('heading', { level: 1 }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const password = 'a long enough password';
/** The links, by their screens. `makeCollectLinks` fills them. */
const paths = {};

async function open(page, path) {
  await page.goto(path);
  await heading(page);
  await page.waitForLoadState('networkidle');
}

const openLinks = (page) => open(page, '/dashboard/links');

async function openDialog(page, say) {
  await open(page, '/dashboard/albums');
  await page.getByRole('link', { name: 'Garden party' }).click();
  await button(page, say('Collect images')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Most images')).waitFor();
  return dialog;
}

async function enter(page, say, { name = 'Noor', secret = password } = {}) {
  await open(page, paths.protected);
  await page.getByLabel(say('Your name')).fill(name);
  await page.locator('input[type=password]').fill(secret);
  await page.keyboard.press('Enter');
}

async function choose(page, pictures, path = paths.open) {
  await open(page, path);
  const files = pictures.slice(0, 4).map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') };
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([...files, broken]);
  await page.locator('main li img').first().waitFor();
}

async function send(page, pictures, say) {
  await choose(page, pictures);
  await button(page, say('Upload')).click();
  const own = page.getByRole('region', { name: say('Your images') });
  await own.locator('li img').nth(3).waitFor();
  await page.waitForLoadState('networkidle');
  return own;
}

export const collecting = [
  { name: 'collect', as: 'collector', show: (page, _pictures, say) => openDialog(page, say) },
  {
    name: 'collect-refused',
    as: 'collector',
    show: async (page, _pictures, say) => {
      const dialog = await openDialog(page, say);
      await dialog.getByLabel(say('Password'), { exact: true }).fill('password');
      await button(dialog, say('Create link')).click();
      await dialog.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  { name: 'collect-links', as: 'collector', show: openLinks },
  {
    name: 'collect-waiting',
    as: 'collector',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      const section = page.getByRole('region', { name: say('Waiting images') });
      await section.locator('img[src^="data:"]').nth(1).waitFor();
      await section.getByRole('checkbox').nth(1).check();
      await section.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'collect-waiting-overlay',
    as: 'collector',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images');
      await page.getByText(say('Waiting for you')).first().waitFor();
      const waiting = page
        .getByRole('main')
        .locator('li[data-image]')
        .filter({ hasText: say('Waiting for you') });
      await waiting.first().getByRole('button').first().click();
      await page.getByText(say('This image is waiting for you.')).first().waitFor();
      await page.getByRole('dialog').locator('[data-current] [data-state="there"]').waitFor();
    },
  },
  {
    name: 'collect-edit',
    as: 'collector',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Garden party' }).first();
      await row.getByText(say('Edit'), { exact: true }).click();
      await page.getByRole('dialog').getByLabel(say('Most images')).waitFor();
    },
  },
  { name: 'collect-entry', as: 'nobody', show: (page) => open(page, paths.protected) },
  {
    name: 'collect-entry-wrong',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await enter(page, say, { secret: 'not the password' });
      await page.getByText(say('This password is wrong.')).waitFor();
    },
  },
  {
    name: 'collect-page',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await enter(page, say);
      await page
        .getByRole('region', { name: say('Album') })
        .locator('li img')
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
    },
  },
  { name: 'collect-chosen', as: 'nobody', show: (page, pictures) => choose(page, pictures) },
  { name: 'collect-sent', as: 'nobody', show: send },
  {
    name: 'collect-own',
    as: 'nobody',
    show: async (page, pictures, say) => {
      const own = await send(page, pictures, say);
      await own.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'collect-remove',
    as: 'nobody',
    show: async (page, pictures, say) => {
      const own = await send(page, pictures, say);
      await own.getByText(say('Remove')).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'collect-full', as: 'nobody', show: (page) => open(page, paths.full) },
  { name: 'collect-ended', as: 'nobody', show: (page) => open(page, paths.ended) },
  { name: 'collect-missing', as: 'nobody', show: (page) => open(page, `/c/${'x'.repeat(22)}`) },
  // Last, because it adds a link.
  {
    name: 'collect-made',
    as: 'collector',
    show: async (page, _pictures, say) => {
      const dialog = await openDialog(page, say);
      await button(dialog, say('Create link')).click();
      await dialog.getByText(say('Anyone with this link can add images.')).waitFor();
    },
  },
];

async function read(answer) {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

/** Adds pictures as a new guest. */
async function addAs(url, name, pictures) {
  const headers = { 'content-type': 'application/json' };
  const entered = await fetch(`${url}/guest`, { method: 'POST', headers, body: JSON.stringify({ name, password }) });
  await read(entered);
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const body = new FormData();
  for (const { name, type, bytes } of pictures) body.append('images', new Blob([bytes], { type }), name);
  await read(await fetch(`${url}/upload`, { method: 'POST', headers: { cookie }, body }));
}

/** An album with pictures, and a link of each kind. Guests have added some, of which some wait. */
export async function makeCollectLinks(origin, owner, pictures) {
  await upload(origin, owner, pictures.slice(6, 9));
  await makeAlbum(origin, owner, 'Garden party', [0, 1, 2]);
  await makeAlbum(origin, owner, 'Trip to the sea', [2]);
  const headers = { authorization: `Bearer ${owner.access_token}`, 'content-type': 'application/json' };
  const call = async (method, path, body) =>
    read(await fetch(`${origin}/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
  const { albums } = await call('GET', 'albums/');
  const album = (name) => albums.find((one) => one.name === name).id;
  const link = async (options) => (await call('POST', 'collect-links', options)).collect_link;
  const whole = { look_first: true, open: true, asks_name: true, password, expires_in: '30d' };
  const party = await link({ name: 'Garden party', album: album('Garden party'), ...whole });
  const trip = await link({
    name: 'Trip to the sea',
    album: album('Trip to the sea'),
    max_files: 200,
    look_first: true,
  });
  const full = await link({ name: 'One picture each', album: album('Trip to the sea'), max_files: 1 });
  const ended = await link({ name: 'Last year', album: album('Trip to the sea') });
  await addAs(party.url, 'Noor', pictures.slice(0, 2));
  await addAs(party.url, 'Sam', pictures.slice(3, 5));
  await addAs(full.url, 'Lena', pictures.slice(10, 11));
  const { images } = await call('GET', 'collect-links/waiting');
  await call('POST', 'collect-links/waiting/admit', { ids: [images.at(-1).id] });
  await call('DELETE', `collect-links/${ended.id}`);
  const pathOf = ({ url }) => new URL(url).pathname;
  Object.assign(paths, { protected: pathOf(party), open: pathOf(trip), full: pathOf(full), ended: pathOf(ended) });
}
