import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['video'];
followLater((words) => {
  texts = words.video;
});
