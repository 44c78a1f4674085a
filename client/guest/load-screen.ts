import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';
import { followLink } from './guest-queue.ts';

/**
 * The screen, with the words of password fields. Not in the upload page, because the file of these words has more than it may start
 * with. Called once: the queue is outside React, and outlives the states of the link.
 */
export async function loadScreen(path: string) {
  const { GuestScreen } = await withWords(['auth', sharingWords], import('./guest-screen.tsx'));
  followLink(path);
  return GuestScreen;
}
