import sharp from 'sharp';

// One picture at a time in a process: threads inside it only cost memory, and nothing is ever opened twice.
sharp.concurrency(1);
sharp.cache(false);
// libvips brings loaders for many more formats than are accepted, each a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff', 'Svg'].map((name) => `VipsForeignLoad${name}`),
});

export { default as sharp, type Sharp } from 'sharp';
