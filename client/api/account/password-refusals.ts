/** Error codes for a refused new password: wrong length, too common, or equal to the user's own name. */
const codes: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'COMMON_PASSWORD', 'PASSWORD_IS_NAME']);

export const isPasswordRefusal = (code: string): boolean => codes.has(code);
