import { randomBytes } from 'node:crypto';
import { type RenditionName, renditions } from './rendition-names.ts';

type Linked = { linkKey: string; extension: string };

/** 128 random bits (the contract asks for 120), base64url. */
export const newLinkKey = () => randomBytes(16).toString('base64url');

export const linkKeyForm = '^[A-Za-z0-9_-]{22}$';

export const linkPath = ({ linkKey, extension }: Linked) => `/i/${linkKey}.${extension}`;
export const renditionPath = ({ linkKey }: Pick<Linked, 'linkKey'>, name: RenditionName) =>
  `/i/${linkKey}/${renditions[name].file}`;

/** A path as it may stand in a log: who reads the log may not see the picture. */
export const withoutLinkKey = (path: string) => path.replace(/(?<![\w-])[\w-]{22}(?=[./]|$)/g, '[key]');
