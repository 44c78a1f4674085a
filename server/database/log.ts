export type Log = { info(message: string): void; error(details: object, message: string): void };
