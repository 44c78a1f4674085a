import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['settings'];
followLater((words) => {
  texts = words.settings;
});
