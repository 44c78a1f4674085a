/** The twelve pictures of the screenshots (pictures/, made for this project), in the formats that people upload. */
import path from 'node:path';
import sharp from 'sharp';

const folder = path.join(import.meta.dirname, 'pictures');

/** In the order in which they are shown. */
const names = [
  'canyon-arch.jpeg',
  'first-snow.png',
  'evening-sea.jpeg',
  'lavender-hills.webp',
  'stars-over-pines.jpeg',
  'moss.webp',
  'dunes-at-noon.jpeg',
  'lake-in-the-morning.jpeg',
  'sandstone.png',
  'red-ridge.jpeg',
  'winter-fjord.webp',
  'last-light.jpeg',
];

/** The first has a location, as real photographs do. */
const location = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '36/1 3/1 16/1',
  GPSLongitudeRef: 'W',
  GPSLongitude: '112/1 8/1 24/1',
};

async function convert(name, index) {
  const { name: base, ext } = path.parse(name);
  const format = ext.slice(1);
  const image = sharp(path.join(folder, `${base}.avif`));
  const bytes = await (index === 0 ? image.withExif({ IFD3: location }) : image).toFormat(format).toBuffer();
  return { name: name.replace('jpeg', 'jpg'), type: `image/${format}`, bytes };
}

/** @returns {Promise<{ name: string, type: string, bytes: Buffer }[]>} */
export const readPictures = () => Promise.all(names.map(convert));
