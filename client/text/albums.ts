import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['albums'];
followLater((words) => {
  texts = words.albums;
});
