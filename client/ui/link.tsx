import { type AnchorHTMLAttributes, createElement } from 'react';
import { Link as RouteLink } from 'wouter';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Replaces the current history entry. */
  replace?: boolean | undefined;
}

/** A link inside the app. */
export const Link = ({ children, ...props }: LinkProps) =>
  // biome-ignore lint/complexity/noUselessFragments: wouter makes its element without jsx/jsx-runtime.ts, so texts get theirs here
  createElement(RouteLink, props, <>{children}</>);
