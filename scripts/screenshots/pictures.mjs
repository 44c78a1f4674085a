/** Draws the twelve pictures of the screenshots, with different names and ratios. */
import sharp from 'sharp';
import { landscape } from '../brand-art/landscape.mjs';
import { paint } from './scenes.mjs';

const long = 960;

const scenes = [
  {
    name: 'canyon-arch.jpg',
    size: [3, 2],
    canyon: 20,
    // A location, as in real photographs.
    place: { GPSLatitudeRef: 'N', GPSLatitude: '36/1 3/1 16/1', GPSLongitudeRef: 'W', GPSLongitude: '112/1 8/1 24/1' },
  },
  {
    name: 'first-snow.png',
    size: [4, 5],
    sky: ['#3c6fa8', '#8db9dc', '#f2d9cf'],
    sun: { x: 0.3, y: 0.24, size: 0.05, colour: '#fff6e0' },
    ridges: { near: '#1d3350', far: '#c9dcec', count: 5, from: 0.5, rough: 0.34 },
  },
  {
    name: 'evening-sea.jpg',
    size: [3, 2],
    sky: ['#3d2a66', '#a2517c', '#f39a6b', '#ffd79a'],
    sun: { x: 0.62, y: 0.5, size: 0.055, colour: '#fff0c2' },
    sea: { horizon: 0.58, tint: '#1f2350' },
  },
  {
    name: 'lavender-hills.webp',
    size: [4, 3],
    sky: ['#f3b7a6', '#f7d9b8', '#fff2d6'],
    sun: { x: 0.75, y: 0.3, size: 0.07, colour: '#fffbe6' },
    ridges: { near: '#4a2f78', far: '#c9a3d6', count: 7, from: 0.46, rough: 0.16 },
  },
  {
    name: 'stars-over-pines.jpg',
    size: [16, 9],
    stars: true,
    sky: ['#050b1f', '#0f2a4d', '#2f6d86', '#9cc9b4'],
    sun: { x: 0.2, y: 0.2, size: 0.035, colour: '#fdf6d8' },
    ridges: { near: '#04100f', far: '#2a5560', count: 5, from: 0.6, rough: 0.22, trees: 1 },
  },
  {
    name: 'moss.webp',
    size: [4, 5],
    sky: ['#0f3b33', '#2f7a52', '#b8d98a'],
    ridges: { near: '#06231a', far: '#79b56a', count: 9, from: 0.22, rough: 0.3, trees: 0.6 },
  },
  {
    name: 'dunes-at-noon.jpg',
    size: [16, 9],
    sky: ['#2f8fc4', '#8fcbe0', '#f0e4c4'],
    ridges: { near: '#b0561f', far: '#f2c98a', count: 5, from: 0.5, rough: 0.2 },
  },
  {
    name: 'lake-in-the-morning.jpg',
    size: [3, 2],
    sky: ['#7fa9c9', '#c8d8dd', '#f5e3cf'],
    sun: { x: 0.4, y: 0.36, size: 0.04, colour: '#fff8e8' },
    ridges: { near: '#3c6076', far: '#a9c3cf', count: 3, from: 0.42, rough: 0.18 },
    sea: { horizon: 0.66, tint: '#28485c' },
  },
  { name: 'sandstone.png', size: [1, 1], canyon: 47 },
  {
    name: 'red-ridge.jpg',
    size: [3, 2],
    sky: ['#fbd3a2', '#f59a6a', '#d9534a'],
    sun: { x: 0.5, y: 0.34, size: 0.12, colour: '#fff3d0' },
    ridges: { near: '#2a0d1e', far: '#d0583f', count: 6, from: 0.52, rough: 0.24 },
  },
  {
    name: 'winter-fjord.webp',
    size: [2, 1],
    sky: ['#23405f', '#7b98b3', '#e8c9bd'],
    ridges: { near: '#1a2d42', far: '#8ea9be', count: 4, from: 0.36, rough: 0.36 },
    sea: { horizon: 0.7, tint: '#14283c' },
  },
  {
    name: 'last-light.jpg',
    size: [4, 3],
    sky: ['#16213f', '#50436f', '#c0667a', '#f8b37c'],
    sun: { x: 0.35, y: 0.6, size: 0.045, colour: '#ffe2b0' },
    ridges: { near: '#0b0f20', far: '#6d4a72', count: 5, from: 0.62, rough: 0.2, trees: 0.5 },
  },
];

async function draw(scene, seed) {
  const [across, down] = scene.size;
  const scale = long / Math.max(across, down);
  const [width, height] = [Math.round(across * scale), Math.round(down * scale)];
  const { data } = scene.canyon ? landscape(width, height, scene.canyon) : paint(scene, width, height, seed);
  const format = scene.name.split('.').at(-1).replace('jpg', 'jpeg');
  const image = sharp(data, { raw: { width, height, channels: 3 } });
  const bytes = await (scene.place ? image.withExif({ IFD3: scene.place }) : image).toFormat(format).toBuffer();
  return { name: scene.name, type: `image/${format}`, bytes };
}

/** @returns {Promise<{ name: string, type: string, bytes: Buffer }[]>} pictures in the order they should be shown */
export const drawPictures = () => Promise.all(scenes.map((scene, index) => draw(scene, 100 + index * 7)));
