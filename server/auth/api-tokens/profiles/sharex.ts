import { authorization, oneLine, type Profile, type ProfileSource, uploadUrl } from './profile.ts';

/** The first version with `{json:…}`; all later ones read it. */
const VERSION = '14.0.0';

/**
 * A custom uploader of ShareX (https://getsharex.com/docs/custom-uploader). ShareX sends one file per request, so a refused
 * file is an error with a `message`.
 */
export function sharexProfile(source: ProfileSource): Profile {
  const uploader = {
    Version: VERSION,
    Name: oneLine(source.token.name),
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: `${uploadUrl(source)}?delete_link=1`,
    Headers: { Authorization: authorization(source) },
    Body: 'MultipartFormData',
    FileFormName: 'images',
    URL: '{json:images[0].url}',
    ThumbnailURL: '{json:images[0].thumbnail_url}',
    DeletionURL: '{json:images[0].delete_url}',
    ErrorMessage: '{json:message}',
  };
  return {
    filename: 'gallery.sxcu',
    content_type: 'application/json',
    text: `${JSON.stringify(uploader, null, 2)}\n`,
  };
}
