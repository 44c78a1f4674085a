import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['preview'];
followLater((words) => {
  texts = words.preview;
});
