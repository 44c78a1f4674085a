type KindText = { title: string; todo: string /** A hint, not a fault of stored data. */; hint?: true };

const repairs = 'Run "doctor --repair".';

const kinds = {
  'storage foreign': {
    title: 'The storage does not belong to this database',
    todo: 'Mount the right folder at DATA_DIR/files, or name the right bucket, or set the right DATABASE_URL. Nothing else was looked at.',
  },
  'restore unfinished': {
    title: 'A restore was not finished',
    todo: 'Run the same "restore" again.',
  },
  'original missing': {
    title: 'Images whose originals are gone',
    todo: 'Upload the same file again, or bring it back from a backup (docs/run/backup.md, "One picture alone"), or delete these images. Nothing was removed.',
  },
  'original damaged': {
    title: 'Originals whose bytes have changed',
    todo: 'Upload the same file again, or bring it back from a backup (docs/run/backup.md, "One picture alone"), and have the disk checked. Nothing was removed.',
  },
  'original unreadable': {
    title: 'Originals that the disk does not read',
    todo: 'Have the disk checked at once, and look for the last good backup.',
  },
  'rendition missing': { title: 'Thumbnails and screen sizes that are gone', todo: repairs },
  'rendition damaged': { title: 'Thumbnails and screen sizes whose bytes have changed', todo: repairs },
  'stray file': {
    title: 'Files that belong to no image',
    todo: `${repairs} It moves them to lost-and-found, in DATA_DIR/files or in the bucket, and deletes nothing.`,
  },
  'folder unreadable': {
    title: 'Folders that cannot be read',
    todo: "Let the server's user read them, or have the disk checked. What is in them was not looked at.",
  },
  'loose bytes': {
    title: 'Bytes that ended processes have left',
    todo: 'A running server removes them within some minutes; or run "doctor --repair".',
  },
  'images overdue': {
    title: 'Expired images that are not deleted yet',
    todo: 'Their links already answer 410. A running server deletes them within some minutes; otherwise look for "expired images" in its log.',
    hint: true,
  },
  'account sums': { title: 'Accounts whose number or bytes of images are wrong', todo: repairs },
  'page counts': { title: 'Accounts whose pages and totals are counted wrongly', todo: repairs },
  'token album': {
    title: "API tokens that are restricted to another account's album",
    todo: `${repairs} It ends them.`,
  },
  'app unreadable': {
    title: 'Accounts whose authenticator apps are sealed with another JWT_SECRET: their codes are refused',
    todo: 'Give this server the JWT_SECRET with which they were set up, or its file DATA_DIR/jwt-secret. Without it, owners log in with a recovery code or a passkey and set the app up again; for others, run "users reset-second-factor" (docs/run/backup.md, "What a restore needs besides the file").',
  },
  'share owner': {
    title: "Shares that show another account's album or images",
    todo: `${repairs} It deletes them.`,
  },
  'collect link owner': {
    title: "Collect links for another account's album, or with its images",
    todo: `${repairs} It deletes them, not the images.`,
  },
  'stable link image': {
    title: "Stable links that name another account's image",
    todo: `${repairs} They keep their names and lead to no image.`,
  },
  'space low': { title: 'Little space is left', todo: 'Make room, or set QUOTA: a full disk refuses every upload.' },
  'clock apart': {
    title: "This machine's clock and the database's are apart",
    todo: 'Set both by NTP: sessions and rate limits go by them.',
  },
  'decoders broken': {
    title: 'Pictures cannot be decoded here: uploads are refused',
    todo: 'Reinstall the packages with this Node (in a clone: npm ci), and raise the limits of memory and processes, if there are any (docs/run/installation.md, "Isolation of decoders").',
  },
  'decoders open': {
    title: 'Decoders are not isolated: a picture that takes over a decoder controls the server',
    todo: 'Install Perl and allow user namespaces or Landlock (docs/run/installation.md, "Isolation of decoders").',
    hint: true,
  },
  'setting unsafe': { title: 'Settings that are unsafe', todo: 'Change them (docs/run/configuration.md).' },
  'setting open': {
    title: 'Settings to review',
    todo: 'These are the settings in the environment in which the doctor ran. Keep them if they are intended (docs/run/configuration.md).',
    hint: true,
  },
} satisfies Record<string, KindText>;

export type Kind = keyof typeof kinds;

export const KINDS = Object.keys(kinds) as readonly Kind[];

export type Issue = {
  kind: Kind;
  /** A key in the storage, an account's id, a variable. */
  subject: string;
  detail?: string;
  repaired: boolean;
};

export const textOf = (kind: Kind): KindText => kinds[kind];

export type Report = (issue: Issue) => void;
