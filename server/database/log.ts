/** The part of the server's logger that is used here. */
export type Log = { info(message: string): void; error(details: object, message: string): void };
