/** Files for uploads: made by sharp, chosen or dropped like a user. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { picture } from '../../server/testing/pictures.ts';
import { eventually } from './eventually.ts';

export type Payload = { name: string; mimeType: string; buffer: Buffer };

/** A flat PNG whose colour depends on its name. */
export async function png(name: string): Promise<Payload> {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return { name, mimeType: 'image/png', buffer: await picture({ colour: `hsl(${hue}, 60%, 55%)` }) };
}

export const pngs = (...names: string[]): Promise<Payload[]> => Promise.all(names.map(png));

/** A photograph cut in half: it starts like a picture but does not decode. */
export async function damaged(name: string): Promise<Payload> {
  const whole = await picture({ format: 'jpeg', width: 320, height: 240 });
  return { name, mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length >> 1) };
}

/** Nine megabytes of random pixels: too large for a form. */
export async function largePicture(name: string): Promise<Payload> {
  const raw = { width: 1800, height: 1700, channels: 3 as const };
  const buffer = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** Red on the left, blue on the right: two colours give it a distinct thumbhash. */
export const twoColours = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c22' } })
    .composite([
      {
        input: { create: { width: width >> 1, height, channels: 3, background: '#22c' } },
        gravity: 'east',
      },
    ])
    .png()
    .toBuffer();

/** Chooses files through the zone's file dialog. */
export async function choose(page: Page, files: Payload[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /click to choose|Tap to choose|للاختيار|لاختيار/ }).click(),
  ]);
  await chooser.setFiles(files);
}

/** Waits until the upload page accepts drops and pastes: it starts to in the same task in which it sets its title. */
export const takesFiles = (t: Test, page: Page): Promise<void> =>
  eventually(t, () => page.title(), 'Upload Images', 'the page is ready for files');

/** Writes files to a temporary folder. @returns the folder, then each file's path */
export async function onDisk(t: Test, files: Payload[]): Promise<[folder: string, paths: string[]]> {
  const folder = await temporaryFolder(t);
  const paths: string[] = [];
  for (const { name, buffer } of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, buffer);
    paths.push(path);
  }
  return [folder, paths];
}

/** Drags files and folders from the disk over the page and drops them. */
export async function drop(page: Page, paths: string[], whileHeld?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const box = await page.getByRole('main').boundingBox();
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 150, data };
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at });
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at });
  await whileHeld?.();
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at });
  await session.detach();
}
