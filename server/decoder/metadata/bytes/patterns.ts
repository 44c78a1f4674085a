/** Wherever in a text these stand, it tells of a place or of one camera among its likes. Long enough not to turn up by chance. */
const ANYWHERE =
  /gps[\s_:-]?(?:lat|lon|alt|pos|coord|info|date|time|stamp|vers|map|dest|img|track|area|speed|status)|(?<!isospeed)latitude|longitude|serial|geotag|localit|makernote|shot_log_data/i;

/** Names of elements, attributes and keywords that hold one. */
const NAMES = [
  /gps|location|country|province|coverage|coordinate|altitude|^geo(?!m)/i,
  /(?:^|[a-z_-])(?:City|State|Region)(?:Name|Code)?$/,
  /^(?:city|state|lat|lon|lng|long|alt|place|venue|address|worldregion)$/i,
  /^CiAdr|^Rtk|^Flight(?:Roll|Yaw|Pitch|.Speed)/,
];

/** Places within the picture. */
const WITHIN = /^(?:subjectlocation|isolocation)$/i;

export const holdsSensitive = (text: string) => ANYWHERE.test(text);

/** @param name without its namespace's prefix */
export const namesSensitive = (name: string) =>
  !WITHIN.test(name) && (ANYWHERE.test(name) || NAMES.some((pattern) => pattern.test(name)));

/** A name of a coordinate or a number of a camera with a figure behind it, as programs write them into comments. */
const MEASURED =
  /(?:latitude|longitude|gps[a-z]{0,30}|serial(?:[\s_-]?(?:no|nr|number))?)(?:ref|,)?[\s"'=:>#.()[\]{}-]{1,12}[^\s"'<>]{0,20}\d/i;
/** What is no comment, though it stands where one is expected. */
const METADATA = /exif(?:II|MM)|xpacket|xmpmeta|<rdf:|8bim|data:image\//i;

/** Beginnings of EXIF, of a JPEG, of datasets of IPTC. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /II[*+]\0|MM\0[*+]|\xff\xd8\xff|\x1c\x02[\s\S]\0/;

/** Whether something stands there that is read by itself, in characters of one byte or of two. */
export const holdsMetadata = (text: string) => BINARY.test(text) || METADATA.test(text.replaceAll('\0', ''));

/** Whether a comment is data rather than a person's words: what those tell of a place is theirs to publish. */
export const isTellingComment = (text: string) => holdsMetadata(text) || MEASURED.test(text.replaceAll('\0', ''));

/** Whether there are characters that no words are written with, closing zeros apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const isBinary = (text: string) => /[\x01-\x08\x0e-\x1f]|\0(?!\0*$)/.test(text);
