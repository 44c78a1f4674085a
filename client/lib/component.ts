import type { LazyExoticComponent, ReactElement } from 'react';

/** A component that returns elements: a bare text may not survive a translation (jsx/jsx-runtime.ts). */
export type Component<Props = object> = (props: Props) => ReactElement | null;

/** The same, perhaps loaded later. */
export type LaterComponent<Props = object> = Component<Props> | LazyExoticComponent<Component<Props>>;
