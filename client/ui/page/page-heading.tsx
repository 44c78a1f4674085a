import { type HTMLAttributes, useEffect, useRef } from 'react';

let arrived = false;

interface PageHeadingProps extends HTMLAttributes<HTMLHeadingElement> {
  /** The document's title while this page is shown. */
  title: string;
}

/** A page's only h1. After a change of page it takes the focus, so that screen readers announce it; not on the first page. */
export function PageHeading({ title, children, ...rest }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (arrived) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    arrived = true;
  }, []);
  return (
    <h1 {...rest} ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}
