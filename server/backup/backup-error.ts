/** A problem that the administrator can fix, described in one line. */
export class BackupError extends Error {
  readonly code = 'BACKUP';
}

/** The backup's rows are sealed by a key that is not given. */
export class KeyMissing extends BackupError {}
