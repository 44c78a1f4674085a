/** Types for the service worker: the client is compiled with the types for pages. */
export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface InstallEvent extends ExtendableEvent {
  /** Routes that bypass the worker; not supported by every browser. */
  addRoutes?(rules: readonly { condition: { urlPattern: { pathname: string } }; source: 'network' }[]): Promise<void>;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  /** The answer to a navigation that was preloaded while the worker started, if any. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerEvents {
  install: InstallEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
}

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void;
}
