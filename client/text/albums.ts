import { follow, type Texts } from './texts.ts';

export let texts: Texts['albums'];
follow((words) => {
  texts = words.albums;
});
