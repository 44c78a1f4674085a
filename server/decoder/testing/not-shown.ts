import type { Test } from 'tap';

/** Skips a level that this machine lacks; with GALLERY_TEST_CAGE=required (.ci/run), the test fails instead. */
export function notShown(t: Test, reason: string): void {
  if (process.env.GALLERY_TEST_CAGE === 'required') t.fail(`GALLERY_TEST_CAGE is "required", but ${reason}`);
  else t.pass('not shown', { skip: reason });
}
