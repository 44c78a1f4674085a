import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['install'];
followLater((words) => {
  texts = words.install;
});
