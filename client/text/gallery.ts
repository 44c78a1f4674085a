import { follow, type Texts } from './texts.ts';

export let texts: Texts['gallery'];
follow((words) => {
  texts = words.gallery;
});
