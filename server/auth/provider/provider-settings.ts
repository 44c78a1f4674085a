import type { Config } from '../../config/config.ts';

export type ProviderSettings = Pick<
  Config,
  | 'oidcScopes'
  | 'oidcTrustEmail'
  | 'oidcRoleClaim'
  | 'oidcQuotaClaim'
  | 'oidcRegistration'
  | 'passwordLogin'
  | 'setupToken'
> & {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** PUBLIC_URL */
  origin: string;
};

/** @returns undefined if this server has no provider */
export function providerSettings(config: Config): ProviderSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, publicUrl: origin } = config;
  if (!issuer || !clientId || !origin) return undefined;
  const { oidcScopes, oidcTrustEmail, oidcRoleClaim, oidcQuotaClaim, oidcRegistration, passwordLogin, setupToken } =
    config;
  const claims = { oidcScopes, oidcTrustEmail, oidcRoleClaim, oidcQuotaClaim };
  return { issuer, clientId, clientSecret, origin, ...claims, oidcRegistration, passwordLogin, setupToken };
}

export const callbackPath = '/api/auth/provider/callback';
