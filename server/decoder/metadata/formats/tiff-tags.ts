/** Locations, serial numbers, and undocumented vendor data. */
export const REMOVED = new Set([
  0xa431, // BodySerialNumber
  0xa435, // LensSerialNumber
  0xc62f, // DNG CameraSerialNumber
  0xfde9, // SerialNumber (Photoshop's raw converter)
  0x927c, // MakerNote
  0xc634, // DNGPrivateData: the maker note in another form
  0xc68c, // OriginalRawFileData: a complete raw file with its metadata
  0x8290, // Kodak's directory
  0xfe00, // Kodak's second directory
  0x8606, // Leaf's data
  0x888a, // Leaf's directory
  0xc7d5, // Nikon's, in raw files
  0x8568, // IPTC in a trailer's format
  0x9999, // Xiaomi's settings
  0x830e, // GeoTIFF: ModelPixelScale
  0x8480, // IntergraphMatrix
  0x8482, // ModelTiepoint
  0x85d8, // ModelTransformation
  0x87af, // GeoKeyDirectory
  0x87b0, // GeoDoubleParams
  0x87b1, // GeoAsciiParams
  0xa480, // GDAL's metadata
  0x4748, // StitchInfo
  0x935c, // ImageSourceData: Photoshop's layers, which may be whole photographs
  0xb4c3, // Hasselblad's raw picture
  0xc51b, // Hasselblad's second raw picture
  0xc6f5, // ProfileIFD, of DNG
  0xfe4c, // RawFile
]);

export const GPS = 0x8825;
export const XMP = 0x02bc;
export const IPTC = 0x83bb;
export const PHOTOSHOP = 0x8649;
/** Tags whose values must be searched, however long. */
export const LOOKED_INTO = new Set([XMP, IPTC, PHOTOSHOP]);
/** Picture data that looks like files: JPEG tables, colour profile. */
export const BINARY = new Set([0x015b, 0x8773]);
/** A person's words or programs' measurements: ImageDescription, UserComment, ImageHistory, XPTitle and others. */
export const COMMENTS = new Set([0x010d, 0x010e, 0x9213, 0x9286, 0x9c9b, 0x9c9c, 0x9c9e, 0x9c9f]);
export const ORIENTATION = 0x0112;
export const THUMBNAIL_AT = 0x0201;
export const THUMBNAIL_LENGTH = 0x0202;

/** Tags that point to directories: sub-images, EXIF, interoperability, parameters. */
export const DIRECTORIES = new Set([0x014a, 0x8769, 0xa005, 0x0190]);

/** The picture's data: offsets and lengths of strips and tiles. */
export const PIXELS = [
  [0x0111, 0x0117],
  [0x0144, 0x0145],
] as const;

/** exiftool reads "Name: value" texts in tags above this one. */
export const FREE_TEXT = 0xf000;

/** Bytes per value, by type. */
export const TYPE_SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 2, 8, 8, 8, 8];
