/** The words of the search tips and of a picture's form. */
import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['finding'];
followLater((words) => {
  texts = words.finding;
});
