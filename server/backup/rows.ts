/** Checks a backup's rows before use: a backup may come from anywhere, and paths and headers are built from image rows. */
import { type TSchema, Type } from 'typebox';
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import { BackupError } from './backup-error.ts';
import { Count, FileLine, parseAs, Sha256, Uuid } from './manifest.ts';
import { contentOf } from './queries.ts';

const Text = Type.String({ maxLength: 2 ** 16 });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]{5,15}([+-]\\d\\d(:\\d\\d)?|Z)$' });
const optional = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) =>
  Type.Optional(Type.Union([shape, Type.Null()]));
const At = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** As in drizzle/schema.ts; columns that earlier versions lacked are not required. */
const ImageRow = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  content_id: optional(Uuid),
  link_key: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  upload_key: optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
  filename: Text,
  description: Type.Optional(Text),
  search_name: Text,
  extension: Type.String({ pattern: '^[a-z0-9]{1,16}$' }),
  content_type: Type.String({ pattern: '^image/[a-z0-9.+-]{1,64}$' }),
  size: Count,
  sha256: Sha256,
  width: Count,
  height: Count,
  placeholder: Type.String({ pattern: '^[A-Za-z0-9+/=]{0,200}$' }),
  camera: optional(Text),
  has_screen: Type.Boolean(),
  thumbnail_sha256: optional(Sha256),
  screen_sha256: optional(Sha256),
  thumbnail_avif_sha256: optional(Sha256),
  screen_avif_sha256: optional(Sha256),
  renditions_due: Type.Optional(Type.Boolean()),
  sealed: Type.Optional(Type.Boolean()),
  renditions_sealed: Type.Optional(Type.Boolean()),
  traces: optional(Type.Union([Type.Literal('none'), Type.Literal('removable'), Type.Literal('unreadable')])),
  redaction: optional(
    Type.Array(
      Type.Union([
        Type.Object({ at: At, length: At, fill: Type.Integer({ minimum: 0, maximum: 255 }) }),
        Type.Object({ at: At, bytes: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }) }),
      ]),
    ),
  ),
  hidden_at: optional(Time),
  hidden_reason: optional(Text),
  hidden_legal: Type.Optional(Type.Boolean()),
  waiting: Type.Optional(Type.Boolean()),
  uploaded_at: Time,
  expires_at: optional(Time),
  delete_hash: optional(Sha256),
});

const UserRow = Type.Object({
  id: Uuid,
  username: Text,
  username_key: Text,
  email: Text,
  email_key: Text,
  email_confirmed_at: optional(Time),
  password_hash: optional(Text),
  role: Type.Optional(Type.Union([Type.Literal('user'), Type.Literal('admin')])),
  created_at: Time,
  pending_since: optional(Time),
  quota_images: optional(Count),
  quota_bytes: optional(Count),
  disabled_at: optional(Time),
  links_silenced_at: optional(Time),
  login_mails: Type.Optional(Type.Boolean()),
});

const IdentityRow = Type.Object({
  id: Uuid,
  user_id: Uuid,
  issuer: Text,
  subject: Text,
  label: Text,
  created_at: Time,
  used_at: Time,
});

const PasskeyRow = Type.Object({
  id: Uuid,
  user_id: Uuid,
  credential_id: Type.String({ pattern: '^[\\w-]{1,1400}$' }),
  public_key: Type.String({ pattern: '^[\\w-]{1,4096}$' }),
  counter: Count,
  transports: Type.Array(Text),
  synced: Type.Boolean(),
  name: Text,
  created_at: Time,
  used_at: optional(Time),
});

const TotpSecretRow = Type.Object({
  user_id: Uuid,
  secret: Text,
  confirmed_at: optional(Time),
  last_step: Count,
});

const RecoveryCodeRow = Type.Object({ user_id: Uuid, code_hash: Sha256 });

const InviteRow = Type.Object({
  id: Uuid,
  secret_hash: Sha256,
  name: Text,
  email: optional(Text),
  max_uses: Count,
  uses: Count,
  quota_images: optional(Count),
  quota_bytes: optional(Count),
  created_at: Time,
  expires_at: optional(Time),
});

const AuditRow = Type.Object({
  id: Uuid,
  at: Time,
  action: Text,
  actor_id: optional(Uuid),
  actor: Text,
  account_id: optional(Uuid),
  account: optional(Text),
  details: Type.Record(Type.String(), Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()])),
  address: optional(Text),
});

const Position = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const AlbumRow = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  name: Text,
  search_name: Text,
  position: Position,
  link_key: optional(Type.String({ pattern: '^[\\w-]{22}$' })),
  link_views: Type.Optional(Count),
  created_at: Time,
});

const AlbumImageRow = Type.Object({
  album_id: Uuid,
  image_id: Uuid,
  owner_id: Uuid,
  position: Position,
  is_cover: Type.Boolean(),
});

const ShareRow = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  key: Type.String({ pattern: '^[\\w-]{22}$' }),
  short_name: optional(Type.String({ pattern: '^[a-z0-9_-]{3,64}$' })),
  guessable: Type.Boolean(),
  name: Text,
  album_id: optional(Uuid),
  password_hash: optional(Text),
  originals: Type.Boolean(),
  details: Type.Boolean(),
  download: Type.Boolean(),
  expires_at: optional(Time),
  ended_at: optional(Time),
  views: Count,
  created_at: Time,
});

const ShareImageRow = Type.Object({ share_id: Uuid, image_id: Uuid, owner_id: Uuid, position: Count });

const HeldNameRow = Type.Object({
  id: Uuid,
  kind: Type.Union([Type.Literal('share'), Type.Literal('stable-link')]),
  name: Type.String({ pattern: '^[a-z0-9_-]{3,64}$' }),
  owner_id: Uuid,
  freed_at: Time,
});

const CollectLinkRow = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  key: Type.String({ pattern: '^[\\w-]{22}$' }),
  name: Text,
  album_id: Uuid,
  password_hash: optional(Text),
  password_version: Count,
  open: Type.Boolean(),
  asks_name: Type.Boolean(),
  look_first: Type.Boolean(),
  max_files: Count,
  max_bytes: Count,
  expires_at: optional(Time),
  ended_at: optional(Time),
  created_at: Time,
});

const CollectGuestRow = Type.Object({
  id: Uuid,
  link_id: Uuid,
  token_hash: Sha256,
  name: optional(Text),
  password_version: Count,
  expires_at: Time,
});

const CollectedImageRow = Type.Object({
  image_id: Uuid,
  link_id: Uuid,
  guest_id: Uuid,
  owner_id: Uuid,
  filename: Text,
  size: Count,
  admitted: Type.Boolean(),
});

const StableLinkRow = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  name: Type.String({ pattern: '^[a-z0-9_-]{3,64}$' }),
  image_id: optional(Uuid),
  ended_at: optional(Time),
  created_at: Time,
  changed_at: Time,
});

const InstallationRow = Type.Object({
  id: Uuid,
  sealed_by: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' }))),
});

const shapes: Record<string, TSchema> = {
  installation: InstallationRow,
  users: UserRow,
  identities: IdentityRow,
  passkeys: PasskeyRow,
  totp_secrets: TotpSecretRow,
  recovery_codes: RecoveryCodeRow,
  invites: InviteRow,
  audit_log: AuditRow,
  images: ImageRow,
  albums: AlbumRow,
  album_images: AlbumImageRow,
  shares: ShareRow,
  share_images: ShareImageRow,
  held_names: HeldNameRow,
  collect_links: CollectLinkRow,
  collect_guests: CollectGuestRow,
  collected_images: CollectedImageRow,
  stable_links: StableLinkRow,
};

/** @throws BackupError if a line is not a row that this program would have written */
export function checkRows(table: string, lines: string[]): void {
  const what = `A row of ${table} in the backup`;
  const shape = shapes[table];
  if (!shape) throw new BackupError(`The backup has a table ${table}, which this program does not know.`);
  for (const line of lines) parseAs(shape, line, what);
}

/**
 * Checks that each image has its original with the row's size and SHA-256, or a known problem, and that no file belongs
 * to another image. Rows and files are sorted by image id.
 * @throws BackupError
 */
export function checkConsistency(rows: string[], files: string[]): void {
  const lines = files.map((text) => parseAs(FileLine, text, 'A list of files in the backup'));
  let at = 0;
  for (const text of rows) {
    const row = parseAs(ImageRow, text, 'A row of images in the backup');
    const content = contentOf(row);
    const [original, ...renditions] = [originalKey(content), thumbnailKey(content), screenKey(content)];
    const line = lines[at];
    if (line?.key !== original)
      throw new BackupError(`The backup has the image ${row.id}, and not its file ${original}.`);
    if (!line.damaged && (line.sha256 !== row.sha256 || line.size !== row.size)) {
      throw new BackupError(`The backup has another file under ${original} than its row says.`);
    }
    at += 1;
    while (renditions.includes(lines[at]?.key ?? '')) at += 1;
  }
  const strange = lines[at];
  if (strange) throw new BackupError(`The backup has the file ${strange.key}, and no image that it belongs to.`);
}
