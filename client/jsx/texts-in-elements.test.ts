import { Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';
import { jsx, jsxs } from './jsx-runtime.ts';

const icon = jsx('i', {});

const Show = ({ children }: { children?: ReactNode }) => jsx('b', { children });

/** The markup of an element with these children, as a compiler writes it. */
const within = (type: Parameters<typeof jsx>[0], ...children: ReactNode[]) => {
  const [child] = children;
  const element = children.length === 1 ? jsx(type, { children: child }) : jsxs(type, { children });
  return renderToStaticMarkup(element);
};

t.test('a text beside an element is in an element', async (t) => {
  t.equal(within('p', icon, 'Copy'), '<p><i></i><span>Copy</span></p>');
  t.equal(within('p', 3, icon), '<p><span>3</span><i></i></p>');
  t.equal(within('p', [['one'], icon]), '<p><span>one</span><i></i></p>');
  t.equal(within('p', icon, ['one', 'two']), '<p><i></i><span>one</span><span>two</span></p>');
});

t.test('texts alone in an element are one text', async (t) => {
  t.equal(within('p', 'Copy'), '<p>Copy</p>');
  t.equal(within('p', 3, ' of ', null, false, [4]), '<p>3 of 4</p>');
  t.equal(within('option', 'by ', 'name'), '<option>by name</option>');
});

t.test('a text in a fragment is in an element, as others may be beside the fragment', async (t) => {
  t.equal(within('p', jsx(Fragment, { children: 'Copy' }), icon), '<p><span>Copy</span><i></i></p>');
  t.equal(within(Fragment, 'one', icon), '<span>one</span><i></i>');
});

t.test('white space, empty texts and a component’s children stay as they are', async (t) => {
  t.equal(within('p', icon, ' ', '', icon), '<p><i></i> <i></i></p>');
  t.equal(within(Show, 'one', ' two'), '<b>one two</b>');
});
