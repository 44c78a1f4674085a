import sharp from 'sharp';

// One picture at a time per process: threads would only cost memory, and nothing is opened twice.
sharp.concurrency(1);
sharp.cache(false);
// libvips has loaders for many more formats; each one would be attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff', 'Svg'].map((name) => `VipsForeignLoad${name}`),
});

export { default as sharp, type Sharp } from 'sharp';
