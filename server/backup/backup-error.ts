/** What the administrator can mend, in one line. */
export class BackupError extends Error {
  readonly code = 'BACKUP';
}
