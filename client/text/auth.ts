import { follow, type Texts } from './texts.ts';

export let texts: Texts['auth'];
follow((words) => {
  texts = words.auth;
});
