import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['notFound'];
followLater((words) => {
  texts = words.notFound;
});
