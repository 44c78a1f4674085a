import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { findsNothing } from './axe.ts';
import { eventually } from './eventually.ts';
import { choose, damaged, pngs } from './files.ts';
import { cardOf, galleryPath, openGallery, pictureOf, withPictures } from './gallery.ts';
import { naturalWidth } from './in-page.ts';
import { openPage, openSignedIn, type PageOptions, type Stage } from './stage.ts';
import { sawToast } from './toasts.ts';
import { wordsFor } from './words.ts';

const upload = (page: Page, say: (english: string) => string) =>
  page.getByRole('button', { name: say('Upload'), exact: true });

type Visit = (t: Test, stage: Stage, options: PageOptions, judge?: typeof findsNothing) => Promise<void>;

/** Every screen in its states, each judged by axe-core unless another judge is given. For a stage with two images a page. */
export const screens: Record<string, Visit> = {
  'login, register and the 404 page': async (t, stage, options, judge = findsNothing) => {
    const say = wordsFor(options);
    const page = await openPage(t, stage, options);
    for (const path of ['/login', '/register', '/nowhere']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await judge(t, page, path);
    }
    await page.goto('/login');
    await page.getByRole('button', { name: say('Show password') }).click();
    await page.getByLabel(say('Email'), { exact: true }).fill('nobody@example.com');
    await page.getByLabel(say('Password'), { exact: true }).fill('a wrong password');
    await page.getByRole('button', { name: say('Login'), exact: true }).click();
    await sawToast(t, page, say('Login failed. Please check your credentials.'));
    await judge(t, page, 'a failed login');
  },

  'the upload page, empty, pending, running and failed': async (t, stage, options, judge = findsNothing) => {
    const say = wordsFor(options);
    const { page } = await openSignedIn(t, stage, '/dashboard/upload', options);
    await upload(page, say).waitFor();
    await judge(t, page, 'upload, empty');
    const long = `${'a-very-long-name-'.repeat(8)}.png`;
    await choose(page, [...(await pngs('one.png', long)), await damaged('cut.jpg')]);
    await page.getByRole('heading', { name: say('Pending'), exact: true }).waitFor();
    await judge(t, page, 'upload, pending');
    await page.route('**/api/images/upload', () => {}, { times: 1 });
    await upload(page, say).click();
    await page.getByRole('button', { name: say('Uploading...'), exact: true }).waitFor();
    await judge(t, page, 'upload, running');
    await page.getByRole('button', { name: say('Cancel'), exact: true }).click();
    await upload(page, say).click();
    await sawToast(t, page, say('Upload failed. Please try again.'));
    await judge(t, page, 'upload, failed');
  },

  'the gallery, empty, failed and full': async (t, stage, options, judge = findsNothing) => {
    const say = wordsFor(options);
    const { page, account } = await openGallery(t, stage, [], options);
    await page.getByText(say('No images found.')).waitFor();
    await judge(t, page, 'gallery, empty');
    await page.route('**/api/images/?*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await page.reload();
    await sawToast(t, page, say('Failed to load images'));
    await judge(t, page, 'gallery, failed');
    const { account: owner } = await withPictures(stage, `${'long-name-'.repeat(12)}.png`, 'b.png', 'c.png');
    t.not(owner.id, account.id);
    const full = await openPage(t, stage, { ...options, account: owner });
    await full.goto(galleryPath);
    await full.getByRole('button', { name: say('Next'), exact: true }).waitFor();
    await eventually(t, () => naturalWidth(pictureOf(full, 'b.png').getByRole('img')), 64, 'the thumbnail is there');
    await judge(t, full, 'gallery, full');
  },

  'the overlay and the question before a deletion': async (t, stage, options, judge = findsNothing) => {
    const say = wordsFor(options);
    const { page } = await openGallery(t, stage, ['a.png', 'b.png'], options);
    await pictureOf(page, 'a.png').click();
    const overlay = page.getByRole('dialog', { name: 'a.png' });
    await eventually(
      t,
      () => naturalWidth(overlay.getByRole('img', { name: 'a.png', exact: true })),
      64,
      'it is there',
    );
    await judge(t, page, 'overlay');
    await overlay.getByRole('button', { name: say('Delete'), exact: true }).click();
    await page.getByRole('button', { name: say('Yes, Delete') }).waitFor();
    await judge(t, page, 'question above the overlay');
    await page.keyboard.press('Escape');
    await overlay.getByRole('button', { name: say('Close'), exact: true }).click();
    await cardOf(page, 'b.png')
      .getByRole('button', { name: say('Delete'), exact: true })
      .click();
    await page.getByRole('button', { name: say('Yes, Delete') }).waitFor();
    await judge(t, page, 'question');
  },

  'the video page, empty, playing and refused': async (t, stage, options, judge = findsNothing) => {
    const say = wordsFor(options);
    const { page } = await openSignedIn(t, stage, '/login', options);
    await page.route('https://media.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'player' }),
    );
    await page.goto('/dashboard/video');
    const box = page.getByLabel(say('Video URL'), { exact: true });
    await box.waitFor();
    await judge(t, page, 'video, empty');
    await box.fill('https://media.example/film.mp4');
    await page.frameLocator('iframe').getByText('player').waitFor();
    await judge(t, page, 'video, playing');
    await box.fill('javascript:alert(1)');
    await page.getByText(say('This does not look like a video link.')).waitFor();
    await judge(t, page, 'video, refused');
  },
};
