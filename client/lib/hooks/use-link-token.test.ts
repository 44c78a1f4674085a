import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';
import { useLinkToken } from './use-link-token.ts';

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
