/** Patterns that reveal a location or a single camera anywhere in a text. Long enough to be no coincidence. */
const ANYWHERE =
  /gps[\s_:-]?(?:lat|lon|alt|pos|coord|info|date|time|stamp|vers|map|dest|img|track|area|speed|status)|(?<!isospeed)latitude|longitude|serial|geotag|localit|makernote|shot_log_data/i;

/** Names of elements, attributes and keywords with such content. */
const NAMES = [
  /gps|location|country|province|coverage|coordinate|altitude|^geo(?!m)/i,
  /(?:^|[a-z_-])(?:City|State|Region)(?:Name|Code)?$/,
  /^(?:city|state|lat|lon|lng|long|alt|place|venue|address|worldregion)$/i,
  /^CiAdr|^Rtk|^Flight(?:Roll|Yaw|Pitch|.Speed)/,
];

/** Positions within the picture. */
const WITHIN = /^(?:subjectlocation|isolocation)$/i;

export const holdsSensitive = (text: string) => ANYWHERE.test(text);

/** @param name without its namespace prefix */
export const namesSensitive = (name: string) =>
  !WITHIN.test(name) && (ANYWHERE.test(name) || NAMES.some((pattern) => pattern.test(name)));

/** The name of a coordinate or a serial number followed by a digit, as programs write them into comments. */
const MEASURED =
  /(?:latitude|longitude|gps[a-z]{0,30}|serial(?:[\s_-]?(?:no|nr|number))?)(?:ref|,)?[\s"'=:>#.()[\]{}-]{1,12}[^\s"'<>]{0,20}\d/i;
/** Metadata in place of a comment. */
const METADATA = /exif(?:II|MM)|xpacket|xmpmeta|<rdf:|8bim|data:image\//i;

/** Starts of EXIF, JPEG and IPTC data. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /II[*+]\0|MM\0[*+]|\xff\xd8\xff|\x1c\x02[\s\S]\0/;

/** Whether the text contains metadata of other formats, in one-byte or two-byte characters. */
export const holdsMetadata = (text: string) => BINARY.test(text) || METADATA.test(text.replaceAll('\0', ''));

/** Whether a comment is data. What people write in their own words is theirs to publish. */
export const isTellingComment = (text: string) => holdsMetadata(text) || MEASURED.test(text.replaceAll('\0', ''));

/** Whether there are characters that text does not use, apart from trailing zeros. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const isBinary = (text: string) => /[\x01-\x08\x0e-\x1f]|\0(?!\0*$)/.test(text);
