/** A failure of the command, described in one line for the administrator. Exit code 1. */
export class CommandFailed extends Error {}

/** The arguments are invalid. Exit code 2. */
export class WrongUsage extends Error {}

/** The administrator interrupted the command. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.');
  }
}
