import { call } from './call.ts';

/**
 * Lists the pictures of an account.
 * @param from the address of the caller
 * @returns the answer's text, and the link of the first picture in it
 */
export async function firstLink(
  origin: string,
  headers: object,
  from?: string,
): Promise<{ body: string; url: string | undefined }> {
  const { body } = await call(origin, '/api/images/', { headers: { ...headers }, ...(from ? { from } : {}) });
  return { body, url: JSON.parse(body).images?.[0]?.url };
}
