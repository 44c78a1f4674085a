/** Texts of the search help and of the details form. */
import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['finding'];
followLater((words) => {
  texts = words.finding;
});
