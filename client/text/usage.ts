import { follow, type Texts } from './texts.ts';

export let texts: Texts['usage'];
follow((words) => {
  texts = words.usage;
});
