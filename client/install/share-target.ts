import { keepShare } from './shares.ts';

export const shareAddress = '/share';

/** The server redirects to this URL too, if no service worker is installed (server/http/page/client.ts). */
const missed = '/dashboard/upload?share=missed';

/** Forms send a file without a name if none was chosen. */
const isChosen = (part: FormDataEntryValue): part is File => part instanceof File && part.name !== '';

/** Whether another site posted the share. A share from the device, or a page that hides its origin, sends none or `null`. */
const namesAnotherOrigin = ({ headers }: Request): boolean => {
  const origin = headers.get('Origin');
  return origin !== null && origin !== 'null' && origin !== location.origin;
};

/**
 * Stores the pictures of a share, then redirects to the server. Only the server sees which site posted. It gives the share's
 * id to the upload page if the post came from the device or from this site.
 */
export async function receiveShare(request: Request): Promise<Response> {
  let target = missed;
  try {
    const form = namesAnotherOrigin(request) ? undefined : await request.formData();
    const files = form?.getAll('images').filter(isChosen) ?? [];
    const id = files.length > 0 ? await keepShare(files) : undefined;
    if (id !== undefined) target = `${shareAddress}?kept=${id}`;
  } catch {
    // Not a form, or storage is full: the upload page reports it.
  }
  return Response.redirect(new URL(target, request.url).href, 303);
}
