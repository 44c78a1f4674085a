import { BrokenUpload, InvalidRequest, TooManyFields, tooManyFiles } from '../errors.ts';

/** Storage errors have a status and multipart limits a code, so any other error means a broken form. */
export function asUploadError(
  error: Error & { code?: string; statusCode?: number },
  { maxFiles, maxFields, field }: { maxFiles: number; maxFields: number; field: string },
): Error {
  switch (error.code) {
    case 'FST_FILES_LIMIT':
      return tooManyFiles(maxFiles);
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new TooManyFields(maxFields);
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return new InvalidRequest(`Send the images as multipart/form-data, in the field "${field}".`);
    case 'FST_PROTO_VIOLATION':
      return new InvalidRequest('A field of the form has a name that is not allowed.');
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return new InvalidRequest('A field of the form is declared as JSON, but it is not valid JSON or too long.');
    case 'FST_MP_PREMATURE_CLOSE':
      return new BrokenUpload('the connection was lost');
    default:
      if (error instanceof TypeError || error instanceof RangeError) return error;
      return error.statusCode === undefined ? new BrokenUpload('its parts cannot be read') : error;
  }
}
