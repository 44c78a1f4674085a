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
