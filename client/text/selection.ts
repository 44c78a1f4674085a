import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['selection'];
followLater((words) => {
  texts = words.selection;
});
