import { followLater, type LaterTexts } from './texts.ts';

export let texts: LaterTexts['emptyGallery'];
followLater((words) => {
  texts = words.emptyGallery;
});
