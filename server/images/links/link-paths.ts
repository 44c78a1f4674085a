import { randomBytes } from 'node:crypto';
import { type RenditionName, renditions } from '../rendition-names.ts';

type Linked = { linkKey: string; extension: string };

/** 128 random bits (the contract requires 120), base64url. */
export const newLinkKey = () => randomBytes(16).toString('base64url');

export const linkKeyForm = '^[A-Za-z0-9_-]{22}$';

export const linkPath = ({ linkKey, extension }: Linked) => `/i/${linkKey}.${extension}`;
export const renditionPath = ({ linkKey }: Pick<Linked, 'linkKey'>, name: RenditionName) =>
  `/i/${linkKey}/${renditions[name].file}`;

/** A character of a key, plain or percent-escaped. A proxy may have escaped the `%` again. */
const character = String.raw`(?:[\w-]|%(?:25)*(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))`;
const slash = '(?:/|%(?:25)*2f)';
const letter = '(?:[iadsc]|%(?:25)*(?:[46][1349]|[57]3))';

/** A key after /i/, /a/, /d/, /s/ or /c/, also one copied with a character too many or a few missing. */
const linkedKeys = new RegExp(`(${slash}${letter}${slash}+)${character}{16,}`, 'gi');
/** A key anywhere else, also directly after an escaped character. */
const bareKeys = new RegExp(String.raw`(?:(?<![\w-])|(?<=%[\da-f]{2}))${character}{22}(?!${character})`, 'gi');

/** The short name of a share, which may be all that is needed to see it. */
const shareNames = new RegExp(`(${slash}(?:s|%(?:25)*[57]3)${slash}+)${character}+`, 'gi');

/** Redacts link keys in a log line, without decoding it, so malformed escapes are safe. */
export const withoutLinkKeys = (line: string) => line.replace(linkedKeys, '$1[key]');

/** Redacts link keys anywhere in the logged path of a request: anyone with a key can view the picture, or delete it. */
export const withoutLinkKey = (path: string) =>
  withoutLinkKeys(path).replace(shareNames, '$1[key]').replace(bareKeys, '[key]');
