import t from 'tap';
import { fitsWindow } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openStage } from '../testing/stage.ts';
import { box, frame, openVideoPage } from '../testing/video.ts';

const stage = await openStage(t);

const windows: [width: number, height: number][] = [
  [320, 568],
  [320, 256],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1024, 320],
  [1440, 900],
  [1440, 400],
  [2560, 1440],
  [3840, 2160],
  [3840, 600],
];

t.test('the frame is 16:9 in every window, and fits where possible', async (t) => {
  const page = await openVideoPage(t, stage);
  await box(page).fill('https://media.example/film.mp4');
  await page.locator('iframe[src]').waitFor();
  for (const [width, height] of windows) {
    const name = `${width} x ${height}`;
    await page.setViewportSize({ width, height });
    await fitsWindow(t, page, name);
    // Rounded to whole pixels of height.
    const offBy = async () => {
      const found = (await frame(page).boundingBox()) ?? { width: 0, height: 0 };
      return Math.round(found.height - (found.width * 9) / 16);
    };
    await eventually(t, offBy, 0, `${name}: 16:9`);
    const found = (await frame(page).boundingBox()) ?? { width: 0, height: 0 };
    t.ok(found.width >= Math.min(width, 320) - 32, `${name}: ${found.width}  px wide`);
    t.ok(found.width <= width && (found.height <= height || height < 316), `${name}: ${found.width} x ${found.height}`);
  }
});
