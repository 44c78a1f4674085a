/** A photograph with metadata, for embedding in other files. */
import { withSegments } from './containers.ts';
import { exifSegment } from './jpeg-notes.ts';
import { jpeg, svg } from './plain-files.ts';

export const inside = withSegments(jpeg, [exifSegment({ orientation: 1 })]);
export const digits = inside.toString('base64');

/** Its addresses in the notations that programs use, by the name of the SVG that contains it. */
export const PHOTOGRAPH_URIS = {
  'a photograph in lines.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&\n')}`,
  'a photograph by Inkscape.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&&#10;')}`,
  'a photograph by Illustrator.svg': `data:image/jpeg;base64,${digits.replace(/.{76}/g, '$&&#xA;')}`,
  'a photograph with a parameter.svg': `data:image/jpeg;charset=utf-8;base64,${digits}`,
  'a photograph without a type.svg': `data:;base64,${digits}`,
  'a photograph in percents.svg': `data:image/jpeg;base64,${encodeURIComponent(digits)}`,
  'a photograph in capitals.svg': `DATA:image/jpeg;BASE64,${digits}`,
  'a photograph behind a reference.svg': `d&#97;&#10;ta:image/jpeg;base64,${digits}`,
  'a photograph in a drawing in it.svg': `data:image/svg+xml;base64,${svg(
    `<image href="data:image/jpeg;base64,${digits}"/>`,
  ).toString('base64')}`,
};
