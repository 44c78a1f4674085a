import { keepShare } from './shares.ts';

export const shareAddress = '/share';
const uploadPage = '/dashboard/upload';

/** Where the server leads too when no worker stands before it (server/plugins/client.ts). */
const missed = `${uploadPage}?share=missed`;

/** A form sends a file without a name where none was chosen. */
const isChosen = (part: FormDataEntryValue): part is File => part instanceof File && part.name !== '';

/** Keeps the pictures of a share for the upload page, and leads there. */
export async function takeShare(request: Request): Promise<Response> {
  let target = missed;
  try {
    const files = (await request.formData()).getAll('images').filter(isChosen);
    if (files.length > 0) {
      await keepShare(files);
      target = uploadPage;
    }
  } catch {
    // No form, or no room for it: the page says so.
  }
  return Response.redirect(new URL(target, request.url).href, 303);
}
