import { call } from './call.ts';

/** Lists an account's pictures. @returns the body, and the link of the first picture */
export async function firstLink(
  origin: string,
  headers: object,
  from?: string,
): Promise<{ body: string; url: string | undefined }> {
  const { body } = await call(origin, '/api/images/', { headers: { ...headers }, ...(from ? { from } : {}) });
  return { body, url: JSON.parse(body).images?.[0]?.url };
}
