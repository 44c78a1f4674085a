/** What the command could not do, as one line for the administrator. Exit code 1. */
export class CommandFailed extends Error {}

/** The words of the call do not make a command. Exit code 2. */
export class WrongUsage extends Error {}

/** The administrator has broken it off. */
export class Interrupted extends Error {
  constructor() {
    super('Broken off.');
  }
}
