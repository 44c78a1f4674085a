/** Every refusal of the product: a code for programs, a sentence for people, a status. Routes throw these. */
import createError from '@fastify/error';

export const InvalidRequest = createError('INVALID_REQUEST', '%s', 400);
export const SearchTooLarge = createError('SEARCH_TOO_LARGE', 'This search is too long: it may have at most %s.', 400);
export const NoFile = createError('NO_FILE', 'No image was sent. Choose at least one file in the field "%s".', 400);
export const BrokenUpload = createError(
  'BROKEN_UPLOAD',
  'The upload was interrupted or is not valid multipart: %s. Send it again.',
  400,
);
export const ResetLinkDead = createError(
  'RESET_LINK_DEAD',
  'This link has been used or is too old. Request a new one.',
  400,
);
export const EmailLinkDead = createError(
  'EMAIL_LINK_DEAD',
  'This link has been used or is too old. Send another one from the settings of your account.',
  400,
);
export const InvalidName = createError(
  'INVALID_NAME',
  'A name has 3 to 64 characters: a to z, digits, "-" and "_". It neither begins nor ends with "-".',
  400,
);
export const NameReserved = createError('NAME_RESERVED', 'This name is reserved. Choose another one.', 400);
export const NotNarrower = createError(
  'NOT_NARROWER',
  'A token cannot gain scopes or end later. Create a new token.',
  400,
);
export const ShortNameOpen = createError(
  'SHORT_NAME_OPEN',
  'Anyone can guess a short name. Set a password too, or send "guessable": true.',
  400,
);
export const CommonPassword = createError(
  'COMMON_PASSWORD',
  'This password is one of the most common ones. Choose another one that is harder to guess.',
  400,
);
export const PasswordIsName = createError(
  'PASSWORD_IS_NAME',
  'The password must not be your username or your email. Choose another one.',
  400,
);
export const Unauthorized = createError('UNAUTHORIZED', 'Please log in.', 401);
/** One answer for unknown, ended and expired tokens: it does not say which ones exist. */
export const TokenNotAccepted = createError(
  'UNAUTHORIZED',
  'This API token is not accepted. It may be mistyped, expired or ended. Create a new one in the settings of your account.',
  401,
);
export const WrongCredentials = createError('WRONG_CREDENTIALS', 'The email or the password is wrong.', 401);
/** Its answer contains the next step, `second_factor`. */
export const SecondFactorNeeded = createError(
  'SECOND_FACTOR_NEEDED',
  'The password is right. Now send a code or a passkey, with the token of this answer, to /api/auth/second-factor.',
  401,
);
export const WrongSecondFactor = createError(
  'WRONG_SECOND_FACTOR',
  'This is not accepted. Each code works once: wait for the next one, or use another way.',
  401,
);
export const LoginStepEnded = createError(
  'LOGIN_STEP_ENDED',
  'This login took too long, or had too many wrong codes. Log in again.',
  401,
);
/** One answer for unknown, removed and refused passkeys. */
export const PasskeyNotAccepted = createError(
  'PASSKEY_NOT_ACCEPTED',
  'This passkey is not accepted. It may have been removed from the account. Log in in another way.',
  401,
);
export const SecondFactorRequired = createError(
  'SECOND_FACTOR_REQUIRED',
  'This server requires a second factor. Set one up in the settings of your account first.',
  403,
);
export const ProofNeeded = createError(
  'PROOF_NEEDED',
  'Confirm first that it is you: with your password, a passkey or a login at your sign-in provider (POST /api/account/proof).',
  403,
);
export const ProofNotAccepted = createError(
  'PROOF_NOT_ACCEPTED',
  'This does not confirm that it is you. Use your password or a passkey, or log in at your sign-in provider again.',
  403,
);
export const NoProviderProof = createError(
  'NO_PROVIDER_PROOF',
  'A new login at the sign-in provider cannot confirm changes of this account. Use your password or a passkey.',
  403,
);
export const WrongCode = createError(
  'WRONG_CODE',
  'This code is wrong. Enter the one that the app shows now, and check the clock of your device.',
  403,
);
export const PasskeysUnavailable = createError(
  'PASSKEYS_UNAVAILABLE',
  'Passkeys do not work at this address: they need https with a domain name, or localhost.',
  403,
);
export const PasskeyNotAdded = createError(
  'PASSKEY_NOT_ADDED',
  'This passkey could not be added. It took too long, or it does not fit this server. Try again.',
  403,
);
export const TooManyPasskeys = createError(
  'TOO_MANY_PASSKEYS',
  'An account can have at most %s passkeys. Remove one you no longer need.',
  409,
);
export const FactorExists = createError(
  'FACTOR_EXISTS',
  'An authenticator app is set up already. Remove it before you set up another one.',
  409,
);
export const NoFactor = createError(
  'NO_FACTOR',
  'Recovery codes replace another factor. Set up an authenticator app or a passkey first.',
  409,
);
export const LastFactor = createError(
  'LAST_FACTOR',
  'This server requires a second factor. Add another one before you remove this one.',
  409,
);
export const LastWayIn = createError(
  'LAST_WAY_IN',
  'This passkey is the only way to log in to this account. Add another one before you remove it.',
  409,
);
/** For secrets that were sealed with another JWT_SECRET. */
export const TotpUnreadable = createError(
  'TOTP_UNREADABLE',
  'The server cannot check codes of this authenticator app any more. Use a recovery code or a passkey, or tell the administrator.',
  503,
);
export const RegistrationClosed = createError(
  'REGISTRATION_CLOSED',
  'Registration is closed on this server. Ask its administrator for an account.',
  403,
);
export const InvitesClosed = createError(
  'INVITES_CLOSED',
  'Registration is closed on this server, so no invitation works. Set REGISTRATION to invite, approval or open first.',
  409,
);
export const InviteNeeded = createError(
  'INVITE_NEEDED',
  'Registration on this server needs an invitation. Ask its administrator for a link.',
  403,
);
/** One answer for unknown, used, ended and expired invitations. */
export const InviteNotAccepted = createError(
  'INVITE_NOT_ACCEPTED',
  'This invitation has been used, or it is too old or incomplete. Ask its sender for a new one.',
  403,
);
/** For the provider, where a link may be an invitation or a claim. */
export const LinkNotAccepted = createError(
  'LINK_NOT_ACCEPTED',
  'This link has been used, or it is too old or incomplete. Ask its sender for a new one.',
  403,
);
export const InviteForOther = createError(
  'INVITE_FOR_OTHER',
  'This invitation is for another email. Register with the one that it was sent to.',
  403,
);
export const AccountPending = createError(
  'ACCOUNT_PENDING',
  'This account waits until an administrator approves it. Try again later.',
  403,
);
export const AdminNeeded = createError('ADMIN_NEEDED', 'Only administrators of this server may do this.', 403);
export const ClaimNotAccepted = createError(
  'CLAIM_NOT_ACCEPTED',
  'This link or setup token is not valid, or this server already has an administrator.',
  403,
);
export const OtherAccountOpen = createError(
  'OTHER_ACCOUNT_OPEN',
  'You are logged in to another account in this browser. Send "switch_account": true to log in to this one instead.',
  409,
);
export const WrongName = createError('WRONG_NAME', 'The username is another one. Nothing was deleted.', 400);
export const JobRunning = createError('JOB_RUNNING', 'One is running already. Wait until it has ended.', 409);
export const BackupPathNeeded = createError(
  'BACKUP_PATH_NEEDED',
  'The server does not know where to write a backup. Set BACKUP_PATH, and start it again.',
  409,
);
export const LastAdmin = createError(
  'LAST_ADMIN',
  'This is the last administrator of this server. Make another account an administrator first.',
  409,
);
export const AccountDisabled = createError(
  'ACCOUNT_DISABLED',
  'This account has been disabled. Ask the administrator of this server.',
  403,
);
export const PasswordLoginOff = createError(
  'PASSWORD_LOGIN_OFF',
  'Passwords are turned off on this server. Log in by its sign-in provider.',
  403,
);
export const ProviderLoginExpired = createError(
  'PROVIDER_LOGIN_EXPIRED',
  'This login took too long, or it was started in another browser. Start again.',
  403,
);
export const NoProvider = createError('NO_PROVIDER', 'This server has no sign-in provider.', 404);
export const ProviderMisconfigured = createError(
  'PROVIDER_MISCONFIGURED',
  'The sign-in provider is not set up correctly on this server. Tell its administrator.',
  502,
);
export const ProviderUnavailable = createError(
  'PROVIDER_UNAVAILABLE',
  'The sign-in provider does not answer. Try again in a moment.',
  503,
);
export const LastLogin = createError(
  'LAST_LOGIN',
  'This is the only way to log in to your account. Set a password first, or link another identity.',
  409,
);
export const WrongPassword = createError('WRONG_PASSWORD', 'The password is wrong.', 403);
export const PasswordNeeded = createError(
  'PASSWORD_NEEDED',
  'To change the email, send the password of the account in the field "password".',
  403,
);
export const ResetUnavailable = createError(
  'RESET_UNAVAILABLE',
  'This server sends no mail. Ask its administrator for a new password.',
  403,
);
export const LocationWithheld = createError(
  'LOCATION_WITHHELD',
  'This picture may contain the place where it was taken. The place could not be removed, so the link is blocked.',
  403,
);
export const SessionNeeded = createError(
  'SESSION_NEEDED',
  'An API token cannot do this. Log in to this server in a browser.',
  403,
);
export const ScopeNeeded = createError('SCOPE_NEEDED', 'This API token lacks the scope for this call: %s.', 403);
/** For a call that needs its scope for all albums. */
export const OneAlbumOnly = createError(
  'SCOPE_NEEDED',
  'This API token is restricted to one album. This call needs a token for all images.',
  403,
);
export const EndlessImages = createError(
  'SCOPE_NEEDED',
  'This API token only adds images that expire. A collect link would add images that do not.',
  403,
);
export const OneAlbumShared = createError(
  'SCOPE_NEEDED',
  'This API token is restricted to one album. It can share only that album, as a whole.',
  403,
);
/** For a guest of a collect link who has no cookie yet, or one from before the present password. */
export const GuestNeeded = createError(
  'GUEST_NEEDED',
  "Open the link's page first, and enter what it asks for. Your browser must accept its cookie.",
  403,
);
export const ForeignOrigin = createError(
  'FOREIGN_ORIGIN',
  'This call is authenticated by a cookie alone, and its origin is not allowed.',
  403,
);
export const NotFound = createError('NOT_FOUND', '%s', 404);
export const UsernameTaken = createError('USERNAME_TAKEN', 'This username is taken. Choose another one.', 409);
export const EmailTaken = createError('EMAIL_TAKEN', 'An account with this email exists. Log in instead.', 409);
export const EmailTakenMeanwhile = createError(
  'EMAIL_TAKEN_MEANWHILE',
  'Another account uses this email now. Choose another one in the settings of your account.',
  409,
);
export const TooManyShares = createError('TOO_MANY_SHARES', '%s End a share you no longer need.', 409);
export const TooManyCollectLinks = createError(
  'TOO_MANY_COLLECT_LINKS',
  'An account has at most %s collect links. End one you no longer need.',
  409,
);
export const TooManyGuests = createError(
  'TOO_MANY_GUESTS',
  'Too many people have opened this link. Try again tomorrow, or ask the person who sent it for a new one.',
  409,
);
export const CollectFull = createError(
  'COLLECT_FULL',
  'This link has no room for this image: it accepts %s in all. Ask the person who sent it.',
  409,
);
export const TooManyAlbums = createError(
  'TOO_MANY_ALBUMS',
  'An account has at most %s albums. Delete one you no longer need.',
  409,
);
export const TooManyTokens = createError(
  'TOO_MANY_TOKENS',
  'An account can have at most %s API tokens. End one you no longer need.',
  409,
);
export const NameTaken = createError('NAME_TAKEN', 'This name is taken on this server. Choose another one.', 409);
export const TooManyStableLinks = createError(
  'TOO_MANY_STABLE_LINKS',
  'An account can have at most %s stable links. Delete one you no longer need.',
  409,
);
export const AlbumFull = createError('ALBUM_FULL', '%s', 409);
export const UnavailableForLegalReasons = createError(
  'UNAVAILABLE_FOR_LEGAL_REASONS',
  'This image is not available for legal reasons.',
  451,
);
export const ImageExpired = createError(
  'IMAGE_EXPIRED',
  'This image has expired. Ask the person who shared it to upload it again.',
  410,
);
export const ShareEnded = createError(
  'SHARE_ENDED',
  'This link has ended. Ask the person who shared it for a new one.',
  410,
);
export const CollectEnded = createError(
  'COLLECT_ENDED',
  'This link has ended and accepts no more pictures. Ask the person who sent it for a new one.',
  410,
);
export const FileTooLarge = createError('FILE_TOO_LARGE', 'The file is larger than the server accepts (%s).', 413);
/** @param max bytes */
export function fileTooLarge(max: number): InstanceType<typeof FileTooLarge> {
  const [unit, name] = max >= 2 ** 20 ? [2 ** 20, 'MiB'] : [1024, 'KiB'];
  return new FileTooLarge(`${Number((max / unit).toFixed(1))} ${name}`);
}
export const TooManyFiles = createError(
  'TOO_MANY_FILES',
  'At most %s can be uploaded at once. Send the rest in a second upload.',
  413,
);
export const tooManyFiles = (max: number): InstanceType<typeof TooManyFiles> =>
  new TooManyFiles(max === 1 ? '1 file' : `${max} files`);
export const QuotaExceeded = createError(
  'QUOTA_EXCEEDED',
  'Your account has no room for this image: %s. Delete images you no longer need, or ask the administrator for more.',
  413,
);
/** The same for guests of a collect link, without the owner's numbers. */
export const GalleryFull = createError(
  'GALLERY_FULL',
  'The gallery behind this link has no room for this picture. Tell the person who sent the link.',
  413,
);
export const OffsetMismatch = createError(
  'OFFSET_MISMATCH',
  'The part does not start where the upload ended, at %s bytes. Request the offset and continue from it.',
  409,
);
export const UnknownProtocolVersion = createError(
  'UNKNOWN_PROTOCOL_VERSION',
  'Resumable uploads use version 1.0.0 of the tus protocol. Send "Tus-Resumable: 1.0.0".',
  412,
);
export const PartTooLong = createError(
  'PART_TOO_LONG',
  'The part is longer than what is left of the upload by its Upload-Length.',
  413,
);
export const TooManyParts = createError(
  'TOO_MANY_PARTS',
  'The upload has reached the limit of %s parts. Start again with larger parts.',
  413,
);
export const NotAPart = createError(
  'NOT_A_PART',
  'Send a part of an upload with the type application/offset+octet-stream.',
  415,
);
export const UploadLocked = createError(
  'UPLOAD_LOCKED',
  'Another call is writing to this upload. Request its offset and continue from it.',
  423,
);
export const TooManyUploads = createError(
  'TOO_MANY_UPLOADS',
  'There are already %s unfinished uploads. Finish or cancel some of them first.',
  429,
);
export const ClientGone = createError('CLIENT_GONE', 'The client closed the connection before its turn came.', 499);
export const NotAnImage = createError(
  'NOT_AN_IMAGE',
  'The file is not an image the server accepts: JPEG, PNG, WebP, GIF, AVIF, TIFF, SVG or HEIC.',
  415,
);
export const EmptyFile = createError('EMPTY_FILE', 'The file is empty.', 422);
export const DamagedImage = createError('DAMAGED_IMAGE', 'The image is damaged or incomplete: %s.', 422);
export const TooManyPixels = createError(
  'TOO_MANY_PIXELS',
  'The image has more pixels than the server accepts (%s).',
  422,
);
export const TooMuchMemory = createError('TOO_MUCH_MEMORY', 'The server could not process the image: %s.', 422);
export const RangeNotSatisfiable = createError(
  'RANGE_NOT_SATISFIABLE',
  'The image is shorter than the requested range.',
  416,
);
export const TooManyRequests = createError('TOO_MANY_REQUESTS', 'Too many attempts. Try again in %s.', 429);
export const DamagedOriginal = createError(
  'DAMAGED_ORIGINAL',
  'The bytes of this image are damaged on the server. Tell its administrator.',
  500,
);
export const RenditionUnavailable = createError(
  'RENDITION_UNAVAILABLE',
  'The preview of this image is missing on the server and could not be rebuilt. Try again later.',
  503,
);
export const DecoderUnavailable = createError(
  'DECODER_UNAVAILABLE',
  'The server cannot process images at the moment. Nothing was stored; try again soon.',
  503,
);
export const DatabaseUnavailable = createError(
  'DATABASE_UNAVAILABLE',
  'The database does not answer. Try again in a moment.',
  503,
);
export const StorageUnavailable = createError(
  'STORAGE_UNAVAILABLE',
  'The storage is unavailable. Try again later, or tell the administrator.',
  503,
);
export const FormatUnavailable = createError('FORMAT_UNAVAILABLE', 'Only the format "json" is available.', 501);
export const TooManyFields = createError(
  'TOO_MANY_FIELDS',
  'The form has too many fields: at most %s besides the files.',
  413,
);
export const ServerBusy = createError('SERVER_BUSY', 'The server is busy. Try again in %s.', 503);

/** @param seconds until a retry, for the message and Retry-After */
export const serverBusy = (seconds: number): Error =>
  Object.assign(new ServerBusy(`${seconds} seconds`), { retryAfter: seconds });

export const NoSpace = createError(
  'NO_SPACE',
  'The server has no space left for this upload, and stored none of it. Tell the administrator.',
  507,
);
