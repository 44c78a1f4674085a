/** The same for the development server. */
import type { Key, ReactElement } from 'react';
import * as react from 'react/jsx-dev-runtime';
import { textsInElements } from './texts-in-elements.ts';

export { Fragment } from 'react/jsx-dev-runtime';
export type { JSX } from './jsx-runtime.ts';

type Given = Parameters<typeof react.jsxDEV>;

export const jsxDEV = (
  type: Given[0],
  props: object,
  key: Key | undefined,
  isStatic: boolean,
  ...place: [source?: Given[4], self?: unknown]
): ReactElement => react.jsxDEV(type, textsInElements(type, props), key, isStatic, ...place);
