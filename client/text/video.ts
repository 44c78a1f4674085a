import { follow, type Texts } from './texts.ts';

export let texts: Texts['video'];
follow((words) => {
  texts = words.video;
});
