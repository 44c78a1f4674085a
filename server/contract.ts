/** TypeBox schemas of everything sent over HTTP. Routes declare them, so no other field leaves the server; the client imports only their types. */
import { type Static, Type } from 'typebox';

export const User = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type User = Static<typeof User>;

export const Image = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'absolute link to the original; the link is the permission' }),
  filename: Type.String(),
  description: Type.String({ description: 'alternative text, one line; empty if there is none' }),
  uploaded_at: Type.String({ description: 'ISO 8601, UTC' }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description:
      'ISO 8601, UTC: from then on its links answer 410, and the server deletes it within minutes; null for never',
  }),
  thumbnail_url: Type.String({ description: 'absolute link to a WebP of at most 480 px on the long side' }),
  thumbnail_avif_url: Type.Union([Type.String(), Type.Null()], {
    description: 'absolute link to the thumbnail as AVIF; null until it exists, or if it would not be a fifth smaller',
  }),
  screen_url: Type.String({
    description:
      'absolute link for showing on a screen, in any browser: a WebP of at most 1600 px on the long side, or the ' +
      'original if it is no larger',
  }),
  screen_avif_url: Type.Union([Type.String(), Type.Null()], {
    description: 'absolute link to that WebP as AVIF, or null',
  }),
  width: Type.Integer({ description: 'px as displayed, after EXIF orientation' }),
  height: Type.Integer({ description: 'px as displayed, after EXIF orientation' }),
  size: Type.Integer({ description: 'bytes of the original' }),
  content_type: Type.String({ description: 'detected from the bytes' }),
  placeholder: Type.String({ description: 'thumbhash, base64' }),
  camera: Type.Union([Type.String(), Type.Null()], {
    description: 'from the metadata; null if unknown, also for images stored before this field existed',
  }),
  location: Type.Union(
    [Type.Literal('none'), Type.Literal('removed'), Type.Literal('kept'), Type.Literal('withheld')],
    {
      description:
        'what the link does with the place and serial numbers in the metadata: there are none; they are removed; they ' +
        'are kept (STRIP_LOCATION=off); or the original is withheld because they could not be removed',
    },
  ),
  hidden: Type.Optional(
    Type.Object(
      {
        since: Type.String({ description: 'ISO 8601, UTC' }),
        reason: Type.Union([Type.String(), Type.Null()], { description: "in the administrator's words" }),
        legal: Type.Boolean({ description: 'whether the links answer 451 instead of 404' }),
        waiting: Type.Optional(
          Type.Literal(true, {
            description: 'a guest of a collect link added it, and you have not admitted it; otherwise not present',
          }),
        ),
      },
      { description: 'present only if its links are disabled: by the administrator, or because it is `waiting`' },
    ),
  ),
});
export type Image = Static<typeof Image>;

/** What a visitor of an album's public page learns of an image. The URLs are paths. */
export type PublicImage = Pick<
  Image,
  | 'url'
  | 'filename'
  | 'description'
  | 'width'
  | 'height'
  | 'size'
  | 'content_type'
  | 'placeholder'
  | 'thumbnail_url'
  | 'thumbnail_avif_url'
  | 'screen_url'
  | 'screen_avif_url'
>;

/** Changes to an image; omitted fields stay unchanged. At most one of `expires_in` and `expires_at`. */
export const ImageChange = Type.Object({
  filename: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  expires_in: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: '`5m` to `5y` from now; null for never' }),
  ),
  expires_at: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 8601 with a time zone, from 5 minutes to 5 years from now; null for never',
    }),
  ),
});
export type ImageChange = Static<typeof ImageChange>;

export const ImageAnswer = Type.Object({ image: Image });
export type ImageAnswer = Static<typeof ImageAnswer>;

export const ExpiringImages = Type.Object({
  images: Type.Array(Image, { description: 'at most 100, the next one to expire first' }),
  total: Type.Integer({ description: 'images that will expire' }),
});
export type ExpiringImages = Static<typeof ExpiringImages>;

/** Images with new links. Their former links, also to renditions, answer 404. */
export const RotatedLinks = Type.Object({
  images: Type.Array(Image, { description: 'in the order of the ids' }),
  unknown: Type.Array(Type.String(), { description: 'ids that match no image of this account' }),
});
export type RotatedLinks = Static<typeof RotatedLinks>;

/** A name that leads to an image, and that its owner can point at another image. */
export const StableLink = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'in lower case; unique on this server' }),
  url: Type.String({
    description: 'absolute link that redirects to the image; anyone who guesses the name can open it',
  }),
  image: Type.Union([Image, Type.Null()], { description: 'null after the image was deleted' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  changed_at: Type.String({ description: 'when its owner last changed it; ISO 8601, UTC' }),
});
export type StableLink = Static<typeof StableLink>;

export const StableLinkAnswer = Type.Object({ stable_link: StableLink });
export type StableLinkAnswer = Static<typeof StableLinkAnswer>;

export const StableLinkList = Type.Object({ stable_links: Type.Array(StableLink, { description: 'by name' }) });
export type StableLinkList = Static<typeof StableLinkList>;

const StableName = Type.String({ description: '3 to 64 of a to z, 0 to 9, `-` and `_`, in any case' });
const StableImage = Type.String({ description: 'id of the image' });

export const NewStableLink = Type.Object({ name: StableName, image: StableImage });
export type NewStableLink = Static<typeof NewStableLink>;

/** Omitted fields stay unchanged. */
export const StableLinkChange = Type.Object({ name: Type.Optional(StableName), image: Type.Optional(StableImage) });
export type StableLinkChange = Static<typeof StableLinkChange>;

/** An image in the response of its upload. */
export const StoredImage = Type.Object({
  ...Image.properties,
  duplicate: Type.Boolean({
    description: 'whether the account already had an image with the same bytes; they are stored once',
  }),
  delete_url: Type.Optional(
    Type.String({
      description:
        'absolute link to a page that deletes the image, without a login; present only if the upload requested it',
    }),
  ),
});
export type StoredImage = Static<typeof StoredImage>;

/** Why one file of an upload was not stored: a code of errors.ts and a sentence to show. */
export const Rejection = Type.Object({ filename: Type.String(), code: Type.String(), message: Type.String() });
export type Rejection = Static<typeof Rejection>;

export const UploadAnswer = Type.Object({ images: Type.Array(StoredImage), rejected: Type.Array(Rejection) });
export type UploadAnswer = Static<typeof UploadAnswer>;

/** The answer to an upload by a program for Zipline 4. */
export const ZiplineAnswer = Type.Object({
  files: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'the filename in the gallery' }),
      type: Type.String({ description: 'detected from the bytes' }),
      url: Type.String({ description: 'absolute link to the original' }),
    }),
  ),
  deletesAt: Type.Optional(Type.String({ description: 'ISO 8601, UTC: when the files expire' })),
});
export type ZiplineAnswer = Static<typeof ZiplineAnswer>;

/** A refusal as programs for Zipline 4 read it. */
export const ZiplineError = Type.Object({
  statusCode: Type.Integer(),
  code: Type.String(),
  error: Type.String({ description: 'the sentence of `message`, which these programs show' }),
  message: Type.String(),
});

/** The answer to an upload by a program for Chevereto's API V1. */
export const CheveretoAnswer = Type.Object({
  status_code: Type.Integer(),
  success: Type.Object({ message: Type.String(), code: Type.Integer() }),
  image: Type.Object({
    id_encoded: Type.String({ description: "the image's id" }),
    filename: Type.String(),
    mime: Type.String({ description: 'detected from the bytes' }),
    size: Type.Integer({ description: 'bytes of the original' }),
    width: Type.Integer(),
    height: Type.Integer(),
    url: Type.String({ description: 'absolute link to the original' }),
    url_viewer: Type.String({ description: 'the same link' }),
    display_url: Type.String({ description: 'absolute link for showing on a screen' }),
    thumb: Type.Object({ url: Type.String() }),
    medium: Type.Object({ url: Type.String({ description: 'the same as `display_url`' }) }),
    delete_url: Type.String({ description: 'absolute link to a page that deletes the image, without a login' }),
  }),
  status_txt: Type.String(),
});
export type CheveretoAnswer = Static<typeof CheveretoAnswer>;

/** A refusal as programs for Chevereto's API V1 read it. */
export const CheveretoError = Type.Object({
  status_code: Type.Integer(),
  error: Type.Object({ message: Type.String(), code: Type.String() }),
  status_txt: Type.String({ description: "the status's standard phrase" }),
});
export type CheveretoError = Static<typeof CheveretoError>;

export const UploadedIds = Type.Object({
  ids: Type.Array(Type.Union([Type.String(), Type.Null()]), {
    description: 'ids of the images stored under the keys of the header Upload-Keys, null for none, in their order',
  }),
});
export type UploadedIds = Static<typeof UploadedIds>;

/** A resumable upload and, once complete, its result. */
export const ResumableUpload = Type.Object({
  id: Type.String(),
  filename: Type.String(),
  size: Type.Integer({ description: 'bytes, from Upload-Length' }),
  offset: Type.Integer({ description: 'bytes received and stored' }),
  expires_at: Type.String({
    description: 'ISO 8601, UTC: when the unfinished upload is deleted, unless more bytes arrive',
  }),
  state: Type.Union([Type.Literal('receiving'), Type.Literal('stored'), Type.Literal('refused')]),
  image: Type.Union([StoredImage, Type.Null()], {
    description: 'null unless stored; also null after the image was deleted',
  }),
  rejected: Type.Union([Rejection, Type.Null()], { description: 'null unless refused' }),
});
export type ResumableUpload = Static<typeof ResumableUpload>;

export const ImagePage = Type.Object({
  images: Type.Array(Image),
  page: Type.Integer(),
  total: Type.Integer(),
  total_is_estimate: Type.Boolean({ description: 'whether a search found too many to count exactly' }),
  totalPages: Type.Integer(),
  search_notes: Type.Optional(
    Type.Array(Type.Object({ operator: Type.String(), value: Type.String() }), {
      description:
        'search operators with an invalid value, which were searched for as text; present only if there are any',
    }),
  ),
});
export type ImagePage = Static<typeof ImagePage>;

/** What an account stores, and its limits; null means no limit. */
export const Usage = Type.Object({
  images: Type.Integer(),
  bytes: Type.Integer({ description: 'of the originals' }),
  max_images: Type.Union([Type.Integer(), Type.Null()]),
  max_bytes: Type.Union([Type.Integer(), Type.Null()]),
});
export type Usage = Static<typeof Usage>;

export const RegisterBody = Type.Object({
  username: Type.String({ minLength: 3, maxLength: 32, pattern: '^(?!\\p{M})[\\p{L}\\p{M}\\p{N}._-]+$' }),
  email: Type.String({
    minLength: 3,
    maxLength: 254,
    pattern:
      '^[^\\s@.<>()\\[\\]\\\\,;:"\\p{C}]+(?:\\.[^\\s@.<>()\\[\\]\\\\,;:"\\p{C}]+)*@[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?(?:\\.[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?)*$',
  }),
  password: Type.String({ minLength: 8, maxLength: 256 }),
  language: Type.Optional(
    Type.Union([Type.Literal('en'), Type.Literal('ar')], {
      description: 'of the mail that confirms the email; default: English',
    }),
  ),
  invite: Type.Optional(Type.String({ description: 'the secret of an invitation' })),
  claim: Type.Optional(
    Type.String({
      description: 'SETUP_TOKEN, or the secret of the link that the server printed: makes the first administrator',
    }),
  ),
});
export type RegisterBody = Static<typeof RegisterBody>;

export const RegisterAnswer = Type.Object({
  user: User,
  pending: Type.Optional(Type.Literal(true, { description: 'present if an administrator must approve it first' })),
});
export type RegisterAnswer = Static<typeof RegisterAnswer>;

/** A secret from a link. */
export const LinkSecret = Type.Object({ secret: Type.String() });
export type LinkSecret = Static<typeof LinkSecret>;

/** What an invitation or a claim allows. */
export const InviteOffer = Type.Object({
  email: Type.Union([Type.String(), Type.Null()], { description: 'the only email that may use it; null for any' }),
  makes_admin: Type.Boolean(),
});
export type InviteOffer = Static<typeof InviteOffer>;

/** Language of a mail that the call sends; default: English. */
export const MailLanguage = Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('ar')]));

/** Login accepts any string: an email that could never register gets the same answer as an unknown one. */
export const LoginBody = Type.Object({ email: Type.String(), password: Type.String(), language: MailLanguage });
export type LoginBody = Static<typeof LoginBody>;

export const UserAnswer = Type.Object({ user: User });
export type UserAnswer = Static<typeof UserAnswer>;

export const LoginAnswer = Type.Object({ access_token: Type.String(), user: User });
export type LoginAnswer = Static<typeof LoginAnswer>;

export const SecondFactorMethod = Type.Union([
  Type.Literal('totp'),
  Type.Literal('recovery-code'),
  Type.Literal('passkey'),
]);
export type SecondFactorMethod = Static<typeof SecondFactorMethod>;

/** The next step of a login whose password was right. */
export const SecondFactorStep = Type.Object({
  token: Type.String({ description: 'goes with the second factor' }),
  methods: Type.Array(SecondFactorMethod, { description: 'that the account has; empty if none works at this address' }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type SecondFactorStep = Static<typeof SecondFactorStep>;

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` (WebAuthn, level 3). */
const PasskeyOptions = Type.Record(Type.String(), Type.Unknown(), { description: 'options of WebAuthn in JSON' });

export const PasskeyRequest = Type.Object({ options: PasskeyOptions });
export type PasskeyRequest = Static<typeof PasskeyRequest>;

const Base64Url = Type.String({ maxLength: 65_536, description: 'base64url' });

/** What a device answers to a request, as `PublicKeyCredential.toJSON` writes it. */
export const PasskeyAnswer = Type.Object({
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Type.Union([Base64Url, Type.Null()])),
  }),
  clientExtensionResults: Type.Record(Type.String(), Type.Unknown()),
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** What a device answers when it has made a passkey. */
export const MadePasskey = Type.Object({
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
  clientExtensionResults: Type.Record(Type.String(), Type.Unknown()),
});
export type MadePasskey = Static<typeof MadePasskey>;

export const PasskeyLogin = Type.Object({ passkey: PasskeyAnswer, language: MailLanguage });
export type PasskeyLogin = Static<typeof PasskeyLogin>;

const Code = Type.String({ maxLength: 32, description: 'six digits of an authenticator app' });

/** Exactly one of `code`, `recovery_code` and `passkey`. */
export const SecondFactorBody = Type.Object({
  token: Type.String(),
  code: Type.Optional(Code),
  recovery_code: Type.Optional(Type.String({ maxLength: 64 })),
  passkey: Type.Optional(PasskeyAnswer),
});
export type SecondFactorBody = Static<typeof SecondFactorBody>;

export const StepToken = Type.Object({ token: Type.String() });
export type StepToken = Static<typeof StepToken>;

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  synced: Type.Boolean({ description: 'whether it may be on several devices' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  used_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC; null if never' }),
});
export type Passkey = Static<typeof Passkey>;

export const PasskeyAnswered = Type.Object({ passkey: Passkey });
export type PasskeyAnswered = Static<typeof PasskeyAnswered>;

/** Why passkeys do not work at this address. */
export const PasskeyObstacle = Type.Union(
  [Type.Literal('no-public-url'), Type.Literal('ip-address'), Type.Literal('insecure')],
  {
    description:
      'PUBLIC_URL is not set, and this is not localhost; the address is an IP address; it is neither https nor localhost',
  },
);
export type PasskeyObstacle = Static<typeof PasskeyObstacle>;

/** Second factors of an account. */
export const Factors = Type.Object({
  passkeys: Type.Array(Passkey),
  passkey_obstacle: Type.Union([PasskeyObstacle, Type.Null()], { description: 'null if passkeys work here' }),
  passkey_origin: Type.Union([Type.String(), Type.Null()], {
    description: 'the only origin at which passkeys work; null if there is an obstacle',
  }),
  totp: Type.Boolean({ description: 'whether an authenticator app is set up' }),
  recovery_codes: Type.Integer({ description: 'how many are left' }),
  required: Type.Boolean({ description: 'whether this server requires a second factor of this account' }),
  has_password: Type.Boolean(),
  password_proof: Type.Boolean({
    description: 'whether a password confirms changes: it has one, and PASSWORD_LOGIN is on',
  }),
  provider_proof: Type.Union([Type.Literal('recent'), Type.Literal('login'), Type.Null()], {
    description:
      'how the sign-in provider confirms the owner: a login there is recent enough, a new login is needed, or it does not',
  }),
});
export type Factors = Static<typeof Factors>;

/** The password, a passkey, or neither right after a login at an identity provider. */
export const ProofBody = Type.Object({
  password: Type.Optional(Type.String()),
  passkey: Type.Optional(PasskeyAnswer),
});
export type ProofBody = Static<typeof ProofBody>;

export const Proof = Type.Object({
  proof: Type.String({ description: 'for what this session alone must not do' }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type Proof = Static<typeof Proof>;

export const Proved = Type.Object({ proof: Type.String() });
export type Proved = Static<typeof Proved>;

export const TotpSecret = Type.Object({
  secret: Type.String({ description: 'base32' }),
  uri: Type.String({ description: 'otpauth: for a QR code' }),
});
export type TotpSecret = Static<typeof TotpSecret>;

export const TotpCode = Type.Object({ proof: Type.String(), code: Code });
export type TotpCode = Static<typeof TotpCode>;

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'shown this once; each works once' }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

const EndedSessions = Type.Integer({
  description: 'other sessions ended: all of them with the first second factor, which they did not give',
});

const FirstCodes = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'with the first factor of an account with a password: shown this once; each works once',
});

export const FactorAdded = Type.Object({ recovery_codes: FirstCodes, ended: EndedSessions });
export type FactorAdded = Static<typeof FactorAdded>;

const PasskeyName = Type.String({ minLength: 1, maxLength: 64 });

export const NewPasskey = Type.Object({
  name: Type.Optional(PasskeyName),
  passkey: MadePasskey,
});
export type NewPasskey = Static<typeof NewPasskey>;

export const PasskeyAdded = Type.Object({ passkey: Passkey, recovery_codes: FirstCodes, ended: EndedSessions });
export type PasskeyAdded = Static<typeof PasskeyAdded>;

export const PasskeyRename = Type.Object({ name: PasskeyName });
export type PasskeyRename = Static<typeof PasskeyRename>;

const OwnersProof = Type.Optional(
  Type.String({ description: 'from `POST /api/account/proof`, instead of the password' }),
);

/** Omitted fields stay unchanged; a new email requires the account's password, or a proof. */
export const AccountChanges = Type.Object({
  username: Type.Optional(RegisterBody.properties.username),
  email: Type.Optional(RegisterBody.properties.email),
  password: Type.Optional(Type.String()),
  proof: OwnersProof,
  language: MailLanguage,
});
export type AccountChanges = Static<typeof AccountChanges>;

const EndTokens = Type.Optional(
  Type.Boolean({ description: "whether the account's API tokens end too; default: true" }),
);

const Names = Type.Array(Type.String(), { description: 'their names' });

/** What opens an account besides its password and its sessions. */
export const WaysIn = Type.Object({
  api_tokens: Names,
  passkeys: Names,
  identities: Type.Array(Type.String(), { description: 'at the sign-in provider; what it calls them' }),
  authenticator_app: Type.Boolean(),
  collect_links: Names,
});
export type WaysIn = Static<typeof WaysIn>;

export const PasswordChange = Type.Object({
  current_password: Type.String(),
  new_password: RegisterBody.properties.password,
  end_tokens: EndTokens,
});
export type PasswordChange = Static<typeof PasswordChange>;

/** Every session has ended; the requesting browser continues with this token and the response's cookie. */
export const PasswordChanged = Type.Object({
  ended: Type.Integer({ description: 'sessions ended, without the current one' }),
  ended_tokens: Type.Integer({ description: 'API tokens ended' }),
  left: WaysIn,
  access_token: Type.String(),
});
export type PasswordChanged = Static<typeof PasswordChanged>;

/** If the change required the password, the request's session has ended and the token belongs to its replacement. */
export const ChangedUser = Type.Object({
  user: User,
  access_token: Type.Optional(Type.String()),
  pending_email: Type.Optional(
    Type.String({
      description: 'the new email; it takes effect once the link mailed to it is opened',
    }),
  ),
});
export type ChangedUser = Static<typeof ChangedUser>;

export const PendingEmail = Type.Object({
  email: Type.String(),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type PendingEmail = Static<typeof PendingEmail>;

export const MailSettings = Type.Object({
  available: Type.Boolean({ description: 'whether this server sends mail' }),
  login_mails: Type.Boolean({ description: 'whether a login from a new device is mailed' }),
  pending_email: Type.Union([PendingEmail, Type.Null()], { description: 'the new email until it is confirmed' }),
});
export type MailSettings = Static<typeof MailSettings>;

export const MailSettingsChange = Type.Object({ login_mails: Type.Boolean() });
export type MailSettingsChange = Static<typeof MailSettingsChange>;

/** The secret of the mailed link. */
export const EmailConfirmation = Type.Object({ token: Type.String() });
export type EmailConfirmation = Static<typeof EmailConfirmation>;

/** The account's password, to confirm. */
export const PasswordProof = Type.Object({ password: Type.Optional(Type.String()), proof: OwnersProof });
export type PasswordProof = Static<typeof PasswordProof>;

export const Session = Type.Object({
  id: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  seen_at: Type.String({ description: 'when it was last used, to five minutes; ISO 8601, UTC' }),
  browser: Type.Union([Type.String(), Type.Null()], { description: 'from the User-Agent' }),
  system: Type.Union([Type.String(), Type.Null()], { description: 'from the User-Agent' }),
  method: Type.Union([Type.Literal('password'), Type.Literal('passkey'), Type.Literal('provider')], {
    description: 'how it was opened',
  }),
  second_factor: Type.Union([...SecondFactorMethod.anyOf, Type.Null()], { description: 'null if none was given' }),
  current: Type.Boolean({ description: 'whether this call uses it' }),
});
export type Session = Static<typeof Session>;

export const SessionList = Type.Object({ sessions: Type.Array(Session) });
export type SessionList = Static<typeof SessionList>;

export const SessionsEnded = Type.Object({ ended: Type.Integer() });
export type SessionsEnded = Static<typeof SessionsEnded>;

/** `5m`, `12h`, `7d`, `2w`, `5y`. */
const DurationText = Type.String({ pattern: '^[1-9][0-9]{0,6}[mhdwy]$' });

export const Scope = Type.Union(
  [
    Type.Literal('images:upload'),
    Type.Literal('images:read'),
    Type.Literal('images:write'),
    Type.Literal('images:delete'),
    Type.Literal('originals:read'),
    Type.Literal('albums:read'),
    Type.Literal('albums:write'),
    Type.Literal('albums:share'),
  ],
  { description: 'what an API token may do' },
);
export type Scope = Static<typeof Scope>;

export const ApiToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  start: Type.String({ description: 'the first 8 characters of the secret' }),
  scopes: Type.Array(Scope),
  album: Type.Union([Type.String(), Type.Null()], { description: 'id of the only album it sees; null for all' }),
  images_expire_in: Type.Union([Type.String(), Type.Null()], {
    description: 'how long its uploads exist, for example `7d`; null for ever',
  }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC; null for never' }),
  used_at: Type.Union([Type.String(), Type.Null()], { description: 'last use, to five minutes; ISO 8601, UTC' }),
  used_by: Type.Union([Type.String(), Type.Null()], {
    description: 'the program that used it last, as it names itself',
  }),
});
export type ApiToken = Static<typeof ApiToken>;

const TokenName = Type.String({ minLength: 1, maxLength: 100 });
const Scopes = Type.Array(Scope, { minItems: 1, maxItems: 8, uniqueItems: true });
const AlbumOfToken = Type.Union([Type.String(), Type.Null()]);
const OptionalDuration = Type.Union([DurationText, Type.Null()]);

/** A program for which the server writes settings. */
export const ProfileProgram = Type.Union([
  Type.Literal('sharex'),
  Type.Literal('flameshot'),
  Type.Literal('ksnip'),
  Type.Literal('picgo'),
  Type.Literal('curl'),
  Type.Literal('ios'),
  Type.Literal('cli'),
]);
export type ProfileProgram = Static<typeof ProfileProgram>;

/**
 * A token with `album` reaches this album and its images alone: everything else answers 404. Its uploads go into the
 * album. It can neither create albums nor delete its own (403 `SCOPE_NEEDED`), and ends with the album.
 */
export const NewApiToken = Type.Object({
  name: TokenName,
  scopes: Scopes,
  expires_in: Type.Optional(
    Type.Union([DurationText, Type.Null()], {
      description: '`1h` to `5y`, null for never; by default never for `images:upload` alone with a proof, else `90d`',
    }),
  ),
  album: Type.Optional(AlbumOfToken),
  images_expire_in: Type.Optional(OptionalDuration),
  profile: Type.Optional(
    Type.Union([ProfileProgram, Type.Null()], {
      description: 'the program to write settings for; all but `cli` need the scope `images:upload`',
    }),
  ),
  language: Type.Optional(
    Type.Union([Type.Literal('en'), Type.Literal('ar')], { description: 'of the steps for `ios`; default: English' }),
  ),
  proof: Type.Optional(
    Type.String({
      description:
        'from `POST /api/account/proof`; needed for `expires_in: null`, and for every scope but `images:upload`',
    }),
  ),
});
export type NewApiToken = Static<typeof NewApiToken>;

/** Omitted fields stay unchanged. Scopes can only be removed, and the end can only become earlier (400 `NOT_NARROWER`). */
export const ApiTokenChange = Type.Object({
  name: Type.Optional(TokenName),
  scopes: Type.Optional(Scopes),
  expires_in: Type.Optional(OptionalDuration),
  album: Type.Optional(AlbumOfToken),
  images_expire_in: Type.Optional(OptionalDuration),
});
export type ApiTokenChange = Static<typeof ApiTokenChange>;

export const CreatedApiToken = Type.Object({
  token: ApiToken,
  secret: Type.String({ description: 'shown this once' }),
  profile: Type.Union(
    [Type.Object({ filename: Type.String(), content_type: Type.String(), text: Type.String() }), Type.Null()],
    {
      description: 'settings of a program that contain the secret; null if none were requested',
    },
  ),
});
export type CreatedApiToken = Static<typeof CreatedApiToken>;

export const ApiTokenAnswer = Type.Object({ token: ApiToken });
export const ApiTokenList = Type.Object({ tokens: Type.Array(ApiToken) });
export type ApiTokenList = Static<typeof ApiTokenList>;

export const SignInOptions = Type.Object({
  registration: Type.Union(
    [Type.Literal('open'), Type.Literal('invite'), Type.Literal('approval'), Type.Literal('closed')],
    { description: 'who may register: anyone, with an invitation, anyone whom an administrator approves, nobody' },
  ),
  password_reset: Type.Boolean({ description: 'whether this server mails password reset links' }),
  passkeys: Type.Boolean({ description: 'whether passkeys work at this address' }),
  abuse_contact: Type.Union([Type.String(), Type.Null()], {
    description: 'mailto: or https: link for reporting abuse; null if the operator has set none',
  }),
  password_login: Type.Boolean({ description: 'whether accounts log in by passwords' }),
  provider: Type.Union(
    [
      Type.Object({
        label: Type.Union([Type.String(), Type.Null()], { description: 'text of its button; null for the usual one' }),
        auto: Type.Boolean({ description: 'whether the login page leads to it by itself' }),
      }),
      Type.Null(),
    ],
    { description: 'the sign-in provider (OpenID Connect); null if there is none' },
  ),
  setup: Type.Union(
    [
      Type.Object({
        command: Type.String({ description: 'run where the server runs, it makes the account NAME the administrator' }),
      }),
      Type.Null(),
    ],
    { description: 'how the first administrator is made; null once there is one' },
  ),
});
export type SignInOptions = Static<typeof SignInOptions>;

/** The code in the address to which a login by the provider leads. It works once, in the same browser. */
export const ProviderFinish = Type.Object({
  code: Type.String(),
  language: MailLanguage,
  switch_account: Type.Optional(
    Type.Boolean({ description: 'true: log in even if a session of another account is open in this browser' }),
  ),
});
export type ProviderFinish = Static<typeof ProviderFinish>;

export const ProviderAddress = Type.Object({ url: Type.String({ description: 'address at the sign-in provider' }) });
export type ProviderAddress = Static<typeof ProviderAddress>;

export const ProviderLogout = Type.Object({
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'where the browser ends its session at the provider; null if there is nothing to end there',
  }),
});
export type ProviderLogout = Static<typeof ProviderLogout>;

/** An account of the sign-in provider that logs in to an account here. */
export const Identity = Type.Object({
  id: Type.String(),
  issuer: Type.String(),
  label: Type.String({ description: 'what the provider calls it: an email or a name' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  used_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type Identity = Static<typeof Identity>;

export const IdentityList = Type.Object({
  identities: Type.Array(Identity),
  can_link: Type.Boolean({ description: 'whether this server has a sign-in provider' }),
});
export type IdentityList = Static<typeof IdentityList>;

export const ResetRequest = Type.Object({
  email: Type.String(),
  language: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('ar')], { description: "the mail's" })),
});
export type ResetRequest = Static<typeof ResetRequest>;

export const PasswordReset = Type.Object({
  token: Type.String(),
  password: RegisterBody.properties.password,
  end_tokens: EndTokens,
});
export type PasswordReset = Static<typeof PasswordReset>;

/** What the link to a new password changes. */
export const ResetOffer = Type.Object({
  confirms: Type.Boolean({
    description: 'whether its use is the first proof of the mailbox, which ends every way in that was made before',
  }),
  ways_in: WaysIn,
});
export type ResetOffer = Static<typeof ResetOffer>;

export const ErrorAnswer = Type.Object({
  statusCode: Type.Integer(),
  code: Type.String(),
  error: Type.String({ description: "the status's standard phrase" }),
  message: Type.String({ description: 'a sentence for people that says what to do next' }),
});
export type ErrorAnswer = Static<typeof ErrorAnswer>;

/** A link to a selection of images or to an album, with the owner's settings. */
export const Share = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'the title of its page' }),
  url: Type.String({ description: 'absolute link to its page, by its short name if it has one' }),
  album: Type.Union([Type.String(), Type.Null()], {
    description: 'id of the album that it shows, with what is added later; null for a selection of images',
  }),
  count: Type.Integer({ description: 'images in it' }),
  short_name: Type.Union([Type.String(), Type.Null()]),
  guessable: Type.Boolean({ description: 'whether the short name works without a password' }),
  protected: Type.Boolean({ description: 'whether visitors need a password' }),
  originals: Type.Boolean({
    description: 'whether visitors get originals, without the place; otherwise renditions only',
  }),
  details: Type.Boolean({
    description: 'whether visitors see filenames and descriptions; always if they get originals',
  }),
  download: Type.Boolean({ description: 'whether visitors can download everything as a ZIP file' }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description: 'ISO 8601, UTC: from then on the link answers 410; null for never',
  }),
  expired: Type.Boolean({ description: 'whether `expires_at` has passed; a later end opens it again' }),
  views: Type.Integer({ description: 'how often its page was opened, to half a minute' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  public_album: Type.Optional(
    Type.Literal(true, {
      description: "present for an album's public page: a share without settings, whose id is the album's",
    }),
  ),
});
export type Share = Static<typeof Share>;

const ShareOptions = {
  originals: Type.Optional(
    Type.Boolean({ description: 'true needs `details`. By default as `details` of a new share.' }),
  ),
  details: Type.Optional(
    Type.Boolean({ description: 'false needs `originals` to be false too: originals can contain names' }),
  ),
  download: Type.Optional(Type.Boolean()),
  short_name: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: '3 to 64 of a-z, 0-9, - and _, but not 22; needs a password or `guessable`. null removes it.',
    }),
  ),
  guessable: Type.Optional(
    Type.Boolean({ description: 'agree that anyone who guesses the short name sees the share' }),
  ),
  expires_in: ImageChange.properties.expires_in,
  expires_at: ImageChange.properties.expires_at,
};

/** Either `album` or `images`. By default everything is shown and can be downloaded, without a password, for ever. */
export const NewShare = Type.Object({
  album: Type.Optional(Type.String({ description: 'id of an album' })),
  images: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: 5000, description: 'ids of images, in the order of the page' }),
  ),
  name: Type.String(),
  password: Type.Optional(RegisterBody.properties.password),
  ...ShareOptions,
});
export type NewShare = Static<typeof NewShare>;

/** Omitted fields stay unchanged. A new password closes the share for everyone who gave an earlier one. */
export const ShareChange = Type.Object({
  name: Type.Optional(Type.String()),
  password: Type.Optional(
    Type.Union([RegisterBody.properties.password, Type.Null()], { description: 'null removes it' }),
  ),
  ...ShareOptions,
});
export type ShareChange = Static<typeof ShareChange>;

export const ShareAnswer = Type.Object({ share: Share });

export const SharePage = Type.Object({
  images: Type.Array(Image, { description: 'in the order of its page' }),
  page: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
});
export type SharePage = Static<typeof SharePage>;

export const ShareList = Type.Object({
  shares: Type.Array(Share),
  album_pages: Type.Array(
    Type.Object({
      album: Type.String({ description: "the album's id" }),
      name: Type.String(),
      url: Type.String({ description: 'absolute link to its page' }),
    }),
    { description: 'albums whose public page is on; turn it off with `DELETE /api/albums/{id}/link`' },
  ),
});
export type ShareList = Static<typeof ShareList>;

/** A link with which anyone who has it adds images to an album, with the owner's settings. */
export const CollectLink = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'the title of its page' }),
  url: Type.String({ description: 'absolute link to its page' }),
  album: Type.String({ description: 'id of the album that the images go into' }),
  open: Type.Boolean({ description: 'whether guests see the album; otherwise only what they added themselves' }),
  asks_name: Type.Boolean({ description: 'whether guests must give a name' }),
  look_first: Type.Boolean({ description: 'whether images wait until you admit them' }),
  protected: Type.Boolean({ description: 'whether guests need a password' }),
  max_files: Type.Integer({ description: 'images that it accepts in all' }),
  max_bytes: Type.Integer({ description: 'bytes that it accepts in all' }),
  files: Type.Integer({ description: 'images that were added and still exist' }),
  bytes: Type.Integer(),
  waiting: Type.Integer({ description: 'those of them that wait to be admitted' }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description: 'ISO 8601, UTC: from then on the link answers 410; null for never',
  }),
  expired: Type.Boolean({ description: 'whether `expires_at` has passed; a later end opens it again' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type CollectLink = Static<typeof CollectLink>;

const CollectOptions = {
  open: Type.Optional(Type.Boolean()),
  asks_name: Type.Optional(Type.Boolean()),
  look_first: Type.Optional(Type.Boolean()),
  max_files: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: '500 by default' })),
  max_bytes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: '10,000,000,000 by default' }),
  ),
  expires_in: ImageChange.properties.expires_in,
  expires_at: ImageChange.properties.expires_at,
};

/** By default guests see only their own images, which are in the album at once, and need neither a name nor a password. */
export const NewCollectLink = Type.Object({
  album: Type.String({ description: 'id of an album' }),
  name: Type.String(),
  password: Type.Optional(RegisterBody.properties.password),
  ...CollectOptions,
});
export type NewCollectLink = Static<typeof NewCollectLink>;

/** Omitted fields stay unchanged. After a new password, guests must give it before they see or add more. */
export const CollectLinkChange = Type.Object({
  name: Type.Optional(Type.String()),
  password: ShareChange.properties.password,
  ...CollectOptions,
});
export type CollectLinkChange = Static<typeof CollectLinkChange>;

export const CollectLinkAnswer = Type.Object({ collect_link: CollectLink });
export const CollectLinkList = Type.Object({ collect_links: Type.Array(CollectLink) });

/** An image that waits until its owner admits it. Only its owner and the guest who added it see it. */
export const WaitingImage = Type.Object({
  id: Type.String(),
  collect_link: Type.Union([Type.String(), Type.Null()], {
    description: 'id of its collect link; null if that was deleted with its album',
  }),
  album: Type.Union([Type.String(), Type.Null()], { description: 'id of the album that it goes into' }),
  guest: Type.Union([Type.String(), Type.Null()], { description: 'the name that the guest gave' }),
  filename: Type.String(),
  uploaded_at: Type.String({ description: 'ISO 8601, UTC' }),
  width: Type.Integer(),
  height: Type.Integer(),
  size: Type.Integer({ description: 'bytes' }),
  content_type: Type.String(),
  placeholder: Type.String({ description: 'thumbhash, base64' }),
  thumbnail_url: Type.String({ description: 'absolute; needs the login' }),
  screen_url: Type.String({ description: 'absolute; needs the login' }),
});
export type WaitingImage = Static<typeof WaitingImage>;

export const WaitingPage = Type.Object({
  images: Type.Array(WaitingImage, { description: 'the newest first' }),
  page: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
});
export type WaitingPage = Static<typeof WaitingPage>;

export const WaitingIds = Type.Object({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }) });

export const WaitingDecision = Type.Object({
  decided: Type.Array(Type.String(), { description: 'ids of the images that were admitted, or refused and deleted' }),
  unknown: Type.Array(Type.String(), { description: 'ids of which none waits: decided already, or deleted' }),
});
export type WaitingDecision = Static<typeof WaitingDecision>;

/** What a guest sees of a collect link. Before the password is given, everything but the first four fields is null. */
export const CollectPage = Type.Object({
  name: Type.String(),
  protected: Type.Boolean({ description: 'whether a password is needed' }),
  asks_name: Type.Boolean({ description: 'whether a name is needed' }),
  is_guest: Type.Boolean({ description: 'whether the cookie of the call may add images' }),
  guest_name: Type.Union([Type.String(), Type.Null()]),
  limits: Type.Union([
    Type.Object({
      open: Type.Boolean({ description: 'whether guests see the album' }),
      look_first: Type.Boolean({ description: 'whether others see an image only after it was admitted' }),
      expires_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC' }),
      max_files: Type.Integer(),
      max_bytes: Type.Integer(),
      files_left: Type.Integer(),
      bytes_left: Type.Integer(),
      max_file_size: Type.Integer({ description: 'bytes' }),
      max_files_at_once: Type.Integer({ description: 'in one form' }),
    }),
    Type.Null(),
  ]),
});
export type CollectPage = Static<typeof CollectPage>;

export const GuestEntry = Type.Object({
  name: Type.Optional(Type.String({ description: '1 to 60 characters, if the link asks for it' })),
  password: Type.Optional(Type.String({ maxLength: 256 })),
});
export type GuestEntry = Static<typeof GuestEntry>;

/** An image as guests see it. Its addresses are below the collect link. */
export const GuestImage = Type.Object({
  id: Type.String({ description: 'valid for this link only' }),
  filename: Type.Union([Type.String(), Type.Null()], { description: "as you sent it; null for others' images" }),
  own: Type.Boolean({ description: 'whether you added it: then you can remove it' }),
  waiting: Type.Boolean({ description: 'whether it waits to be admitted' }),
  size: Type.Union([Type.Integer(), Type.Null()], { description: "bytes, as you sent it; null for others' images" }),
  width: Type.Integer(),
  height: Type.Integer(),
  placeholder: Type.String({ description: 'thumbhash, base64' }),
  thumbnail_url: Type.String(),
  screen_url: Type.String(),
});
export type GuestImage = Static<typeof GuestImage>;

export const GuestPage = Type.Object({
  images: Type.Array(GuestImage),
  page: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
});
export type GuestPage = Static<typeof GuestPage>;

export const GuestUploadAnswer = Type.Object({ images: Type.Array(GuestImage), rejected: Type.Array(Rejection) });

/** A guest's resumable upload and, once complete, its result. */
export const GuestResumableUpload = Type.Object({
  ...ResumableUpload.properties,
  image: Type.Union([GuestImage, Type.Null()], {
    description: 'null unless stored; also null after the image was deleted',
  }),
});

/** oEmbed 1.0. `photo` for a share without a password, otherwise `link` with nothing but its name. */
export const OEmbed = Type.Object({
  version: Type.Literal('1.0'),
  type: Type.Union([Type.Literal('photo'), Type.Literal('link')]),
  title: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  cache_age: Type.Integer({ description: 'seconds' }),
  url: Type.Optional(Type.String({ description: 'of the picture' })),
  width: Type.Optional(Type.Integer({ description: 'px' })),
  height: Type.Optional(Type.Integer({ description: 'px' })),
});
export type OEmbed = Static<typeof OEmbed>;

const AlbumCover = Type.Pick(Image, ['thumbnail_url', 'thumbnail_avif_url', 'width', 'height', 'placeholder']);
export type AlbumCover = Static<typeof AlbumCover>;

export const Album = Type.Object({
  id: Type.String(),
  name: Type.String(),
  count: Type.Integer({ description: 'images in it' }),
  covers: Type.Array(AlbumCover, { description: 'at most three: the chosen cover, then the first images' }),
  cover: Type.Union([Type.String(), Type.Null()], { description: 'id of the chosen cover, or null' }),
  position: Type.Integer({ description: "from 1, in the order of the owner's albums" }),
  link: Type.Union([Type.String(), Type.Null()], {
    description: 'absolute link to its public page, or null',
  }),
  views: Type.Integer({ description: 'how often that page was opened since it is on, to half a minute' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type Album = Static<typeof Album>;

export const AlbumAnswer = Type.Object({ album: Album });
export type AlbumAnswer = Static<typeof AlbumAnswer>;

export const AlbumList = Type.Object({ albums: Type.Array(Album) });
export type AlbumList = Static<typeof AlbumList>;

export const AlbumPage = Type.Object({
  album: Album,
  images: Type.Array(Image, { description: "in the album's order" }),
  page: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
});
export type AlbumPage = Static<typeof AlbumPage>;

export const AlbumAddition = Type.Object({
  added: Type.Integer(),
  present: Type.Integer({ description: 'images that were already in the album' }),
  unknown: Type.Array(Type.String(), { description: 'ids that match no image of this account' }),
});
export type AlbumAddition = Static<typeof AlbumAddition>;

export const AlbumRemoval = Type.Object({ removed: Type.Integer() });
export type AlbumRemoval = Static<typeof AlbumRemoval>;

export const AlbumLink = Type.Object({ url: Type.String() });
export type AlbumLink = Static<typeof AlbumLink>;

/** Albums that contain at least one of some images, with counts. */
export const AlbumsHolding = Type.Object({
  albums: Type.Array(Type.Object({ id: Type.String(), count: Type.Integer() })),
});
export type AlbumsHolding = Static<typeof AlbumsHolding>;

const NullableMoment = Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC; null for never' });
const OwnLimit = Type.Union([Type.Integer(), Type.Null()], { description: "null for the server's limit" });
const NewLimit = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]),
);
const NewCount = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), Type.Null()]));

/** The account of the session, beside what every answer about it contains. */
export const AccountDetails = Type.Object({
  user: User,
  role: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
  has_password: Type.Boolean(),
  password_proof: Type.Boolean({
    description: 'whether a password confirms changes: it has one, and PASSWORD_LOGIN is on',
  }),
  email_confirmed_at: Type.Union([Type.String(), Type.Null()], {
    description: 'when the owner last proved to read the mailbox; ISO 8601, UTC; null if never',
  }),
  asks_confirmation: Type.Boolean({ description: 'whether the page asks the owner to confirm the email' }),
});
export type AccountDetails = Static<typeof AccountDetails>;

/** An account, as an administrator sees it. */
export const AdminAccount = Type.Object({
  ...User.properties,
  role: AccountDetails.properties.role,
  pending_since: Type.Union([Type.String(), Type.Null()], { description: 'since when it waits for approval' }),
  disabled_at: Type.Union([Type.String(), Type.Null()]),
  links_silenced_at: Type.Union([Type.String(), Type.Null()], {
    description: 'since when its public links answer 404',
  }),
  seen_at: Type.Union([Type.String(), Type.Null()], {
    description: 'last use of an open session, to within five minutes; null if none is open',
  }),
  images: Type.Integer(),
  bytes: Type.Integer(),
  quota_images: OwnLimit,
  quota_bytes: OwnLimit,
  sessions: Type.Integer(),
  tokens: Type.Integer(),
  has_password: Type.Boolean(),
  passkeys: Type.Integer(),
  has_codes: Type.Boolean({ description: 'whether an authenticator app is set up' }),
  providers: Type.Integer({ description: 'identities of a provider that log in to it' }),
});
export type AdminAccount = Static<typeof AdminAccount>;

export const AdminAccountAnswer = Type.Object({ account: AdminAccount });
export type AdminAccountAnswer = Static<typeof AdminAccountAnswer>;

export const AdminAccountPage = Type.Object({
  accounts: Type.Array(AdminAccount, { description: 'those that wait for approval first, then the newest' }),
  page: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
});
export type AdminAccountPage = Static<typeof AdminAccountPage>;

/** For bodies whose unknown fields are refused: a misspelled limit must not be no limit. */
const strict = { additionalProperties: false };

/** Omitted fields stay unchanged. */
export const AdminAccountChange = Type.Object(
  {
    role: Type.Optional(AccountDetails.properties.role),
    quota_images: NewCount,
    quota_bytes: NewLimit,
    disabled: Type.Optional(Type.Boolean({ description: 'true ends its sessions and blocks logins' })),
    proof: Type.Optional(
      Type.String({
        description: 'from `POST /api/account/proof`; needed with `disabled: true` and to change the role',
      }),
    ),
    silence_links: Type.Optional(
      Type.Literal(true, {
        description: 'with `disabled: true`: its public links answer 404 too, until it is enabled',
      }),
    ),
  },
  strict,
);
export type AdminAccountChange = Static<typeof AdminAccountChange>;

export const PasswordLink = Type.Object({
  url: Type.String({ description: 'opens a page that sets a new password; works once' }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
});
export type PasswordLink = Static<typeof PasswordLink>;

/** For what a stolen session must not do. */
export const GivenProof = Type.Object(
  { proof: Type.String({ description: 'from `POST /api/account/proof`' }) },
  strict,
);
export type GivenProof = Static<typeof GivenProof>;

/** The name proves that the right account is deleted. */
export const AccountDeletion = Type.Object(
  {
    username: Type.String(),
    proof: Type.Optional(Type.String({ description: 'needed; from `POST /api/account/proof`' })),
  },
  strict,
);
export type AccountDeletion = Static<typeof AccountDeletion>;

export const Invite = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()], { description: 'the only email that may use it' }),
  max_uses: Type.Integer(),
  uses: Type.Integer(),
  quota_images: OwnLimit,
  quota_bytes: OwnLimit,
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  expires_at: NullableMoment,
  usable: Type.Boolean(),
});
export type Invite = Static<typeof Invite>;

export const InviteList = Type.Object({ invites: Type.Array(Invite, { description: 'the newest first' }) });
export type InviteList = Static<typeof InviteList>;

export const NewInvite = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    email: Type.Optional(RegisterBody.properties.email),
    max_uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'default: 1' })),
    expires_in: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: '`5m` to `5y`; null for never; default: `7d`' }),
    ),
    quota_images: NewCount,
    quota_bytes: NewLimit,
    language: MailLanguage,
  },
  strict,
);
export type NewInvite = Static<typeof NewInvite>;

export const CreatedInvite = Type.Object({
  invite: Invite,
  url: Type.String({ description: 'the link, which is not shown again' }),
  mailed: Type.Boolean({ description: 'whether it is mailed to `email`' }),
});
export type CreatedInvite = Static<typeof CreatedInvite>;

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  action: Type.String(),
  actor: Type.String({ description: 'who did it; empty for someone without a login' }),
  actor_id: Type.Union([Type.String(), Type.Null()]),
  account: Type.Union([Type.String(), Type.Null()], { description: 'the account that it concerns' }),
  account_id: Type.Union([Type.String(), Type.Null()]),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  address: Type.Union([Type.String(), Type.Null()], { description: 'deleted after 30 days' }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: 'the newest first' }),
  next: Type.Union([Type.String(), Type.Null()], { description: '`before` of the next page; null on the last one' }),
  actions: Type.Array(Type.String(), { description: 'every action that can occur' }),
});
export type AuditPage = Static<typeof AuditPage>;

const JobFacts = Type.Object({
  images: Type.Integer(),
  files: Type.Integer(),
  healthy: Type.Optional(Type.Boolean({ description: 'of the doctor: whether nothing is left to do' })),
  accounts: Type.Optional(Type.Integer({ description: 'of a backup' })),
  bytes: Type.Optional(Type.Integer({ description: 'of a backup: of all files' })),
  added_bytes: Type.Optional(Type.Integer({ description: 'of a backup: of the files that are new in it' })),
});
export type JobFacts = Static<typeof JobFacts>;

/** A run of the doctor or of a backup. */
export const AdminJob = Type.Object({
  id: Type.String(),
  kind: Type.Union([Type.Literal('doctor'), Type.Literal('backup')]),
  actor: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  step: Type.Union([Type.String(), Type.Null()]),
  done: Type.Integer({ description: 'bytes' }),
  total: Type.Union([Type.Integer(), Type.Null()], { description: 'bytes; null while it is unknown' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  finished_at: Type.Union([Type.String(), Type.Null()]),
  summary: Type.Union([Type.String(), Type.Null()], { description: 'one sentence: what it did, or why it failed' }),
  facts: Type.Union([JobFacts, Type.Null()], { description: 'what it did, in numbers' }),
  findings: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'for programs; empty in results of earlier versions' }),
      title: Type.String(),
      todo: Type.String(),
      found: Type.Integer(),
      repaired: Type.Integer(),
      examples: Type.Array(Type.String(), { description: 'the first of them' }),
    }),
  ),
});
export type AdminJob = Static<typeof AdminJob>;

export const AdminJobAnswer = Type.Object({ job: AdminJob });
export type AdminJobAnswer = Static<typeof AdminJobAnswer>;

export const NewAdminJob = Type.Object({ kind: AdminJob.properties.kind }, strict);
export type NewAdminJob = Static<typeof NewAdminJob>;

export const AdminOverview = Type.Object({
  accounts: Type.Integer(),
  pending: Type.Integer({ description: 'accounts that wait for approval' }),
  disabled: Type.Integer(),
  admins: Type.Integer(),
  images: Type.Integer(),
  bytes: Type.Integer({ description: 'of the originals, as counted for the accounts' }),
  disk_free: Type.Union([Type.Integer(), Type.Null()], { description: 'bytes on the disk of DATA_DIR' }),
  disk_size: Type.Union([Type.Integer(), Type.Null()], { description: 'bytes' }),
  renditions_due: Type.Integer({
    description: 'images whose larger renditions are still to be made; at most 10,000; 0 with RENDITIONS_AHEAD=off',
  }),
  version: Type.String(),
  node_version: Type.String(),
  postgres_version: Type.String(),
  storage: Type.Union([Type.Literal('disk'), Type.Literal('s3')]),
  can_decode: Type.Boolean({
    description: 'whether uploads have a decoder; false while /api/health/ready is 503 for it',
  }),
  can_back_up: Type.Boolean({ description: 'whether BACKUP_PATH is set' }),
  last_doctor: Type.Union([AdminJob, Type.Null()]),
  last_backup: Type.Union([AdminJob, Type.Null()]),
});
export type AdminOverview = Static<typeof AdminOverview>;

/** A variable of the environment. */
export const Setting = Type.Object({
  name: Type.String(),
  value: Type.Union([Type.String(), Type.Null()], { description: 'null if it is not set; secrets are masked' }),
  unit: Type.Union([Type.Literal('bytes'), Type.Literal('milliseconds'), Type.Null()], {
    description: 'of a value that is a number; null for a text',
  }),
  secret: Type.Boolean(),
  source: Type.Union([Type.Literal('default'), Type.Literal('environment'), Type.Literal('file')]),
});
export type Setting = Static<typeof Setting>;

export const SettingList = Type.Object({ settings: Type.Array(Setting) });
export type SettingList = Static<typeof SettingList>;
