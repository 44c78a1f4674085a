import type { FastifyBaseLogger } from 'fastify';

type ChildOptions = Parameters<FastifyBaseLogger['child']>;
type Line = [details: object, message?: string];

/** A child logger that is created by its first line: many requests write none, and creating it takes 5 % of a cached response. */
class RequestLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #given: ChildOptions;
  #created: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, given: ChildOptions) {
    this.#parent = parent;
    this.#given = given;
  }

  get #child(): FastifyBaseLogger {
    this.#created ??= this.#parent.child(...this.#given);
    return this.#created;
  }

  get level(): string {
    return this.#parent.level;
  }
  child(...given: ChildOptions): FastifyBaseLogger {
    return this.#child.child(...given);
  }
  fatal(...line: Line): void {
    this.#child.fatal(...line);
  }
  error(...line: Line): void {
    this.#child.error(...line);
  }
  warn(...line: Line): void {
    this.#child.warn(...line);
  }
  info(...line: Line): void {
    this.#child.info(...line);
  }
  debug(...line: Line): void {
    this.#child.debug(...line);
  }
  trace(...line: Line): void {
    this.#child.trace(...line);
  }
  silent(): void {}
}

/** For Fastify's `childLoggerFactory`. */
export const requestLogger = (parent: FastifyBaseLogger, ...given: ChildOptions): FastifyBaseLogger =>
  new RequestLogger(parent, given);
