/** Which request the work at hand is done for, however many promises lie between. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** `context` holds the span that is open, where traces are made. */
export type Current = { id: string | undefined; context?: Context };

export const current = new AsyncLocalStorage<Current>();
