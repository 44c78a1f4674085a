/** The server's codes for a new password that it does not accept: too short or too long, too common, or one's own name. */
const codes: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'COMMON_PASSWORD', 'PASSWORD_IS_NAME']);

export const isPasswordRefusal = (code: string): boolean => codes.has(code);
