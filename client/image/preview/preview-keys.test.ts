import t from 'tap';
import { commandOf } from './preview-keys.ts';

const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

t.test('arrow keys follow the reading direction', async (t) => {
  t.equal(commandOf({ ...none, key: 'ArrowRight' }, false), 'next');
  t.equal(commandOf({ ...none, key: 'ArrowRight' }, true), 'previous');
  t.equal(commandOf({ ...none, key: 'ArrowLeft' }, true), 'next');
  t.equal(commandOf({ ...none, key: 'Home' }, true), 'first');
});

t.test('shortcuts of the browser are not intercepted', async (t) => {
  t.equal(commandOf({ ...none, key: 'c', ctrlKey: true }, false), undefined);
  t.equal(commandOf({ ...none, key: 'd', metaKey: true }, false), undefined);
  t.equal(commandOf({ ...none, key: 'ArrowLeft', altKey: true }, false), undefined);
  t.equal(commandOf({ ...none, key: 'Tab' }, false), undefined);
  t.equal(commandOf({ ...none, key: '+', shiftKey: true }, false), 'zoomIn');
  t.equal(commandOf({ ...none, key: 'C' }, false), 'copy', 'with caps lock');
});
