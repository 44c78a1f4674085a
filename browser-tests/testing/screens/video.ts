import { openSignedIn } from '../stage.ts';
import { button, type Visit } from './visit.ts';

export const video: Visit = async ({ t, stage, options, say, judge }) => {
  const { page } = await openSignedIn(t, stage, '/login', options);
  await page.route('https://media.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'player' }));
  await page.goto('/dashboard/video');
  const box = page.getByLabel(say('Video URL'), { exact: true });
  await box.waitFor();
  await judge(page, 'video, empty');
  await box.fill('https://media.example/film.mp4');
  await page.frameLocator('iframe').getByText('player').waitFor();
  await judge(page, 'video, playing');
  await box.fill('javascript:alert(1)');
  await page.getByText(say('This does not look like a video link.')).waitFor();
  await judge(page, 'video, refused');
  const watched = page.getByRole('list', { name: say('Last watched') }).getByRole('listitem');
  const second = `https://media.example/${'long-'.repeat(30)}.mp4`;
  await box.fill(second);
  await watched.filter({ hasText: second }).waitFor();
  await button(page, say('Clear')).click();
  await watched.filter({ hasText: second }).getByRole('button').last().click();
  await button(page, say('Undo')).waitFor();
  await judge(page, 'video, what was watched, and one removed');
};
