/**
 * The component of every lucide icon. It takes the place of lucide-react's own (vite.config.ts), whose contexts, sizes and aliases
 * cost 1.3 kB compressed: here base.css sets size and stroke.
 */
import { createElement, type SVGProps } from 'react';

/** An icon of lucide-react. */
interface IconData {
  readonly name: string;
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

export default function createIcon({ name, node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ className = '', ...props }: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': props['aria-label'] === undefined || undefined,
        ...props,
        className: `lucide lucide-${name} ${className}`,
      },
      ...shapes,
    );
}
