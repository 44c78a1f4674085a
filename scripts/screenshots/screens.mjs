/** Every screen and state: `show` opens it in a page, and `say` translates an English text. */
const gallery = '/dashboard/images';
const upload = '/dashboard/upload';

const heading = (page) => page.getByRole('heading', { level: 1 }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const picture = (page, name) => page.getByRole('main').getByRole('button', { name, exact: true });

async function open(page, path) {
  await page.goto(path);
  await heading(page);
}

const asFiles = (pictures) => pictures.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));

/** Waits until each visible tile has its picture or, without one, its extension. */
async function choose(page, pictures) {
  await open(page, upload);
  await page.locator('input[type=file]').setInputFiles(asFiles(pictures));
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('main li')].filter(
      (tile) => tile.getBoundingClientRect().top < innerHeight,
    );
    return tiles.length > 0 && tiles.every((tile) => tile.querySelector('img, span'));
  });
}

async function pressUpload(page, say) {
  await page.evaluate(() => window.scrollTo(0, 0));
  await button(page, say('Upload')).click();
}

const cut = ({ name, type, bytes }) => ({ name, type, bytes: bytes.subarray(0, bytes.length >> 1) });

async function showWall(page) {
  await open(page, gallery);
  await page.waitForFunction(() => {
    const seen = [...document.querySelectorAll('main li img')].filter(
      (img) => img.getBoundingClientRect().top < innerHeight,
    );
    return seen.length > 0 && seen.every((img) => img.dataset.state === 'there');
  });
  // Search tips, sort order and pager appear later.
  await page.locator('main summary').waitFor();
  await page.locator('main select').waitFor();
  await page.locator('main nav').waitFor();
}

async function showOverlay(page, name) {
  await showWall(page);
  await picture(page, name).click();
  // The neighbouring pictures are in the page too, out of sight.
  const there = page.locator('[data-state="there"]');
  await page.getByRole('dialog').getByRole('img', { name, exact: true }).and(there).waitFor();
}

/** `as`: nobody, the user with pictures, one without, or one whose pictures expire. */
export const screens = [
  { name: 'reset', as: 'nobody', show: (page) => open(page, '/reset#token=shown') },
  {
    name: 'settings',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/settings');
      await page.getByText(say('This device')).waitFor();
      await page
        .getByText(/ used|المستخدم/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'settings-delete',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/settings');
      await page.getByRole('button', { name: say('Delete account…') }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'login', as: 'nobody', show: (page) => open(page, '/login') },
  { name: 'register', as: 'nobody', show: (page) => open(page, '/register') },
  {
    name: '404',
    as: 'nobody',
    show: async (page) => {
      await open(page, '/nowhere');
      // The page's art is a background image, which has no element to wait for.
      await page.waitForLoadState('networkidle');
    },
  },
  {
    name: 'login-failed',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await open(page, '/login');
      await page.getByLabel(say('Email'), { exact: true }).fill('amira@example.com');
      await page.getByLabel(say('Password'), { exact: true }).fill('not my password');
      await button(page, say('Login')).click();
      await page.getByText(say('Login failed. Please check your credentials.')).waitFor();
    },
  },
  { name: 'upload-empty', as: 'owner', show: (page) => open(page, upload) },
  { name: 'upload', as: 'owner', show: (page, pictures) => choose(page, pictures) },
  {
    name: 'upload-running',
    as: 'owner',
    show: async (page, pictures, say) => {
      await page.route('**/api/images/upload', () => {}, { times: 1 });
      await choose(page, pictures.slice(0, 6));
      await pressUpload(page, say);
      await button(page, say('Uploading...')).waitFor();
    },
  },
  {
    name: 'upload-failed',
    as: 'newcomer',
    show: async (page, pictures, say) => {
      await choose(page, [pictures[0], cut(pictures[2]), cut(pictures[6])].concat(pictures.slice(9, 10)));
      await pressUpload(page, say);
      await page.getByText(say('Upload failed. Please try again.')).waitFor();
    },
  },
  {
    name: 'upload-done',
    as: 'newcomer',
    show: async (page, pictures, say) => {
      await choose(page, pictures.slice(0, 2));
      await pressUpload(page, say);
      await page.getByText(say('Images uploaded successfully 📸')).waitFor();
    },
  },
  { name: 'gallery', as: 'owner', show: showWall },
  {
    name: 'gallery-select',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await showWall(page);
      await button(page, say('Select')).click();
      for (const index of [0, 3, 4]) await page.getByRole('checkbox').nth(index).check();
      await page.getByRole('toolbar', { name: say('Selection') }).waitFor();
      await page.getByRole('checkbox', { checked: true }).nth(2).waitFor();
    },
  },
  {
    name: 'gallery-loading',
    as: 'owner',
    show: async (page) => {
      await page.route('**/api/images/?*', () => {}, { times: 1 });
      await open(page, gallery);
      await page.locator('main ul[aria-hidden] li').first().waitFor();
    },
  },
  {
    name: 'gallery-thumbhash',
    as: 'owner',
    show: async (page) => {
      await page.route('**/i/**', () => {});
      await page.goto(gallery, { waitUntil: 'commit' });
      await page.getByRole('main').getByRole('listitem').first().waitFor();
      await page.locator('main select').waitFor();
      await page.locator('main nav').waitFor();
    },
  },
  {
    name: 'gallery-empty',
    as: 'blank',
    show: async (page, _pictures, say) => {
      await open(page, gallery);
      await page.getByText(say('No images found.')).waitFor();
    },
  },
  {
    name: 'gallery-error',
    as: 'blank',
    show: async (page, _pictures, say) => {
      await page.route('**/api/images/?*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
      await open(page, gallery);
      await page.getByRole('button', { name: say('Retry') }).waitFor();
    },
  },
  {
    name: 'gallery-delete',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await showWall(page);
      await page
        .getByRole('listitem')
        .getByRole('button', { name: say('Delete'), exact: true })
        .nth(2)
        .click();
      await page.getByRole('button', { name: say('Yes, Delete') }).waitFor();
    },
  },
  { name: 'preview', as: 'owner', show: (page) => showOverlay(page, 'canyon-arch.jpg') },
  {
    name: 'preview-details',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await showOverlay(page, 'canyon-arch.jpg');
      const details = page
        .getByRole('dialog')
        .getByRole('button', { name: say('Details'), exact: true })
        .last();
      if ((await details.getAttribute('aria-expanded')) === 'false') await details.click();
      await page.getByText(say('The link leaves out location and serial numbers.')).waitFor();
    },
  },
  {
    name: 'preview-alone',
    as: 'owner',
    show: async (page) => {
      await showOverlay(page, 'canyon-arch.jpg');
      if (page.viewportSize().width > 640) return;
      await page.getByRole('dialog').getByRole('img', { name: 'canyon-arch.jpg', exact: true }).tap();
      await page.locator('[data-bare]').waitFor();
    },
  },
  {
    name: 'rail',
    as: 'owner',
    show: async (page) => {
      await page.addInitScript(() => localStorage.setItem('sidebar', 'narrow'));
      await showWall(page);
    },
  },
  { name: 'video-empty', as: 'owner', show: (page) => open(page, '/dashboard/video') },
  {
    name: 'video',
    as: 'owner',
    show: async (page, pictures, say) => {
      const still = `data:image/jpeg;base64,${pictures[2].bytes.toString('base64')}`;
      const body = `<body style="margin:0"><img src="${still}" style="width:100vw;height:100vh;object-fit:cover">`;
      await page.route('https://media.example/**', (route) => route.fulfill({ contentType: 'text/html', body }));
      await open(page, '/dashboard/video');
      await page.getByLabel(say('Video URL'), { exact: true }).fill('https://media.example/evening-sea.mp4');
      await page.frameLocator('iframe').locator('img').waitFor();
    },
  },
  {
    name: 'video-watched',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await page.route(/^https:/, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await open(page, '/dashboard/video');
      const links = [
        'https://vimeo.com/76979871',
        'https://youtu.be/dQw4w9WgXcQ',
        'https://media.example/evening-sea.mp4',
      ];
      for (const link of links) {
        await page.getByLabel(say('Video URL'), { exact: true }).fill(link);
        await page.getByRole('listitem').filter({ hasText: link }).waitFor();
      }
      await page.getByRole('button', { name: say('Clear'), exact: true }).click();
      await page.getByRole('listitem').filter({ hasText: links[0] }).getByRole('button').last().click();
      await page.getByRole('button', { name: say('Undo'), exact: true }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'video-refused',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/video');
      await page.getByLabel(say('Video URL'), { exact: true }).fill('javascript:alert(1)');
      await page.getByText(say('This does not look like a video link.')).waitFor();
    },
  },
];
