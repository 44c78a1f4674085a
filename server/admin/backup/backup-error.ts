/** What the administrator can mend, in one line. */
export class BackupError extends Error {
  readonly code = 'BACKUP';
}

/** Rows of the backup are sealed by a key that is not given. */
export class KeyMissing extends BackupError {}
