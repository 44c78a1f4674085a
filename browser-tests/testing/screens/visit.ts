/** A visit of one screen: opens it and checks its states. */
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { PageOptions, Stage } from '../stage.ts';

export type Judge = (t: Test, page: Page, state: string) => Promise<void>;

export type Visitor = {
  t: Test;
  stage: Stage;
  options: PageOptions;
  /** Translates a fixed English text to the visitor's language. */
  say: (english: string) => string;
  judge: (page: Page, state: string) => Promise<void>;
};

export type Visit = (visitor: Visitor) => Promise<void>;

export const button = (within: Pick<Page, 'getByRole'>, name: string) =>
  within.getByRole('button', { name, exact: true });

export const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1 }).waitFor();

/** Opens the details in the overlay, which a wide window shows from the start. */
export async function showDetails(overlay: Locator, { say }: Visitor): Promise<void> {
  const details = button(overlay, say('Details'));
  await details.waitFor();
  const closed = details.and(overlay.locator('[aria-pressed="false"], [aria-expanded="false"]'));
  if ((await closed.count()) > 0) await details.click();
}
