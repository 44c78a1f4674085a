/** What is used of the server's logger. */
export type Log = { info(message: string): void; error(details: object, message: string): void };
