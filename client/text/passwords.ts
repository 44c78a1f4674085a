import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['passwords'];
followLater((words) => {
  texts = words.passwords;
});
