import { follow, type Texts } from './texts.ts';

export let texts: Texts['shell'];
follow((words) => {
  texts = words.shell;
});
