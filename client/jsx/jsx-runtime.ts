/**
 * React's automatic JSX runtime, in which each text is the only child of its element. A browser's translation replaces text nodes,
 * and React fails when it removes or moves one of those (facebook/react#11538). It never touches an element's only text: it sets
 * textContent.
 */
import type { Key, ReactElement, JSX as ReactJSX, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';
import { textsInElements } from './texts-in-elements.ts';

export { Fragment } from 'react/jsx-runtime';

type Exotic = { readonly $$typeof: symbol };
type Class = new (props: never) => { render(): ReactNode };

/** What TypeScript accepts in JSX. A component may not return a bare text or bare children: `<>{children}</>` puts them in elements. */
export declare namespace JSX {
  type ElementType = string | Exotic | Class | ((props: never) => ReactElement | null);
  type Element = ReactJSX.Element;
  type ElementClass = ReactJSX.ElementClass;
  type ElementAttributesProperty = ReactJSX.ElementAttributesProperty;
  type ElementChildrenAttribute = ReactJSX.ElementChildrenAttribute;
  type LibraryManagedAttributes<C, P> = ReactJSX.LibraryManagedAttributes<C, P>;
  type IntrinsicAttributes = ReactJSX.IntrinsicAttributes;
  type IntrinsicClassAttributes<T> = ReactJSX.IntrinsicClassAttributes<T>;
  type IntrinsicElements = ReactJSX.IntrinsicElements;
}

type Type = Parameters<typeof react.jsx>[0];
type Props = { children?: ReactNode };

export const jsx = (type: Type, props: Props, key?: Key): ReactElement =>
  react.jsx(type, textsInElements(type, props), key);

export const jsxs = (type: Type, props: Props, key?: Key): ReactElement => {
  const kept = textsInElements(type, props);
  return (Array.isArray(kept.children) ? react.jsxs : react.jsx)(type, kept, key);
};
