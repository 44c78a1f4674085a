/** The request of the current asynchronous work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** `context` holds the open span if tracing is on. */
export type Current = { id: string | undefined; context?: Context };

export const current = new AsyncLocalStorage<Current>();
