import { keepShare } from './shares.ts';

export const shareAddress = '/share';

/** Where the server leads too when no worker stands before it (server/http/client.ts). */
const missed = '/dashboard/upload?share=missed';

/** A form sends a file without a name where none was chosen. */
const isChosen = (part: FormDataEntryValue): part is File => part instanceof File && part.name !== '';

/** A device's share and a page that hides its origin both name none. */
const namesAnotherOrigin = ({ headers }: Request): boolean => {
  const origin = headers.get('Origin');
  return origin !== null && origin !== 'null' && origin !== location.origin;
};

/**
 * Keeps the pictures of a share, and leads to the server: a worker is not told which site posted, but the server is, and
 * names the share to the upload page only where it came from the device or from this site.
 */
export async function receiveShare(request: Request): Promise<Response> {
  let target = missed;
  try {
    const form = namesAnotherOrigin(request) ? undefined : await request.formData();
    const files = form?.getAll('images').filter(isChosen) ?? [];
    const id = files.length > 0 ? await keepShare(files) : undefined;
    if (id !== undefined) target = `${shareAddress}?kept=${id}`;
  } catch {
    // No form, or no room for it: the page says so.
  }
  return Response.redirect(new URL(target, request.url).href, 303);
}
