import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['undo'];
followLater((words) => {
  texts = words.undo;
});
