/** Renaming and describing an image in its details. */
import type { Locator } from 'playwright-core';
import type { Test } from 'tap';
import { findsNothingHere } from '../checks/axe.ts';
import { eventually } from '../eventually.ts';
import { cardOf, openGallery, pictureOf, shows } from '../gallery.ts';
import type { Judge } from '../screens/visit.ts';
import type { PageOptions, Stage } from '../stage.ts';
import { sawToast } from '../toasts.ts';

const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1;

/** Edits an image. The details are beside the picture in a wide window, and behind a button in a narrow one. */
export async function renames(
  t: Test,
  stage: Stage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const isPhone = (options.viewport?.width ?? 1440) < 600;
  const { page, images } = await openGallery(t, stage, ['before.png', 'other.png'], options);
  await pictureOf(page, 'before.png').click();
  const dialog = page.getByRole('dialog');
  if (isPhone) await dialog.getByRole('button', { name: 'Details', exact: true }).click();
  const open = dialog.getByRole('button', { name: 'Rename or describe' });
  await open.click();
  const name = dialog.getByRole('textbox', { name: 'Filename' });
  await eventually(t, () => hasFocus(name), true, 'ready to type');
  await judge(t, page, 'the form');
  await name.press('Escape');
  await eventually(t, () => hasFocus(open), true, 'Esc closes only the form');
  await open.click();
  await name.fill('after.png');
  await dialog.getByRole('textbox', { name: 'Description' }).pressSequentially('A [red] "kite" + sea');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  await dialog.getByRole('heading', { name: 'after.png' }).waitFor();
  await dialog.getByRole('img', { name: 'A [red] "kite" + sea' }).first().waitFor();
  await judge(t, page, 'a described picture');
  if (!isPhone) {
    const { url } = images[0] ?? {};
    await dialog.getByText(`![A \\[red\\] "kite" + sea](${url})`, { exact: true }).waitFor();
    await dialog.getByText(`<img src="${url}" alt="A [red] &#34;kite&#34; + sea">`, { exact: true }).waitFor();
  }
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await shows(t, page, 'after.png', 'other.png');
  await cardOf(page, 'after.png').getByRole('img', { name: 'A [red] "kite" + sea' }).waitFor();
  await page.getByRole('searchbox').fill('red] "KITE');
  await shows(t, page, 'after.png');
}
