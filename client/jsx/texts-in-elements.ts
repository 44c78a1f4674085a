import { createElement, type ReactNode } from 'react';

type Props = { children?: ReactNode };

/** Translations skip white space. In an element, it would be an item of a flex container. */
const isText = (node: ReactNode): node is string | number =>
  typeof node === 'number' || (typeof node === 'string' && node.trim() !== '');

const some = (nodes: readonly ReactNode[], test: (node: ReactNode) => boolean): boolean =>
  nodes.some((node) => (Array.isArray(node) ? some(node, test) : test(node)));

const wrap = (node: ReactNode, place: number): ReactNode => {
  if (Array.isArray(node)) return some(node, isText) ? node.map(wrap) : node;
  return isText(node) ? createElement('span', { key: `text ${place}` }, node) : node;
};

/** Texts without an element beside them become one text. */
function ofHost(children: readonly ReactNode[]): ReactNode {
  if (!some(children, isText)) return children;
  if (some(children, (node) => typeof node === 'object' && node !== null)) return children.map(wrap);
  return children
    .flat(Number.POSITIVE_INFINITY)
    .filter((node) => typeof node !== 'boolean')
    .join('');
}

/** Puts each text that may have a node beside it into an element. A component's children reach an element or a fragment later. */
export function textsInElements<P extends Props>(type: unknown, props: P): P {
  const { children } = props;
  if (typeof type === 'string') return Array.isArray(children) ? { ...props, children: ofHost(children) } : props;
  // A fragment, or what else React itself has.
  if (typeof type !== 'symbol') return props;
  return { ...props, children: Array.isArray(children) ? children.map(wrap) : wrap(children, 0) };
}
