import { follow, type Texts } from './texts.ts';

export let texts: Texts['api'];
follow((words) => {
  texts = words.api;
});
