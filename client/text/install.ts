import { follow, type Texts } from './texts.ts';

export let texts: Texts['install'];
follow((words) => {
  texts = words.install;
});
