/** The file changed while it was sent. */
export class ChangedFile extends Error {
  constructor() {
    super('The file changed while it was read. Send it again.');
  }
}
