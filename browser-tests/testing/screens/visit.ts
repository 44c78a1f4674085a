/** One visit of a screen: how it is opened and in which states it is judged. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { PageOptions, Stage } from '../stage.ts';

export type Judge = (t: Test, page: Page, state: string) => Promise<void>;

export type Visitor = {
  t: Test;
  stage: Stage;
  options: PageOptions;
  /** A fixed text, by its English words, in the visitor's language. */
  say: (english: string) => string;
  judge: (page: Page, state: string) => Promise<void>;
};

export type Visit = (visitor: Visitor) => Promise<void>;

export const button = (within: Pick<Page, 'getByRole'>, name: string) =>
  within.getByRole('button', { name, exact: true });

export const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1 }).waitFor();
