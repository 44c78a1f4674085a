import { follow, type Texts } from './texts.ts';

export let texts: Texts['upload'];
follow((words) => {
  texts = words.upload;
});
