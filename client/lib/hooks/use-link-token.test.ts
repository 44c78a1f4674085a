import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';
import { useLinkToken, useMailedLink } from './use-link-token.ts';

t.test('rendering twice reads the secret twice, and leaves the address as it is', async (t) => {
  const location = { hash: '#token=secret', pathname: '/reset' };
  const history = {
    state: null,
    replaceState() {
      location.hash = '';
    },
  };
  Object.assign(globalThis, { window: { location, history } });
  // Runs initialisers without effects, like a render that StrictMode discards.
  const render = () => renderToStaticMarkup(createElement(useLinkToken));
  t.same([render(), render()], ['secret', 'secret']);
  t.equal(location.hash, '#token=secret');
});

t.test('after a reload the secret is read from the history entry', async (t) => {
  const history = { state: { linkToken: 'kept' } };
  Object.assign(globalThis, { window: { location: { hash: '', pathname: '/register' }, history } });
  t.equal(renderToStaticMarkup(createElement(useLinkToken)), 'kept');
});

t.test('a link says whether it confirms for the first time, also after a reload', async (t) => {
  const shown = () => renderToStaticMarkup(createElement(() => JSON.stringify(useMailedLink())));
  for (const [hash, state, isFirst] of [
    ['#token=secret&first', null, true],
    ['#token=secret', { linkToken: 'other', linkIsFirst: true }, false],
    ['', { linkToken: 'secret', linkIsFirst: true }, true],
  ] as const) {
    Object.assign(globalThis, { window: { location: { hash, pathname: '/email' }, history: { state } } });
    t.match(shown().replaceAll('&quot;', '"'), `{"token":"secret","isFirst":${isFirst}}`);
  }
});
