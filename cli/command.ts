export type Command = {
  /** One line for the list of commands. */
  summary: string;
  help: string;
  /** @returns the exit code @throws UsageError; any other error ends the program with 1 */
  run(args: string[]): Promise<number>;
};
