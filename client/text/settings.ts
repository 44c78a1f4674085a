import { follow, type Texts } from './texts.ts';

export let texts: Texts['settings'];
follow((words) => {
  texts = words.settings;
});
