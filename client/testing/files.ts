import type { GuestImage, Rejection, StoredImage } from '../../server/contract.ts';

/** Creates a file of `size` bytes. */
export const fileOf = (name: string, size = 10, lastModified = 1): File =>
  new File([new Uint8Array(size)], name, { lastModified, type: 'image/png' });

export const imageOf = (filename: string, size = 10, more: Partial<StoredImage> = {}): StoredImage => ({
  id: `id-${filename}-${size}`,
  url: `https://host.test/i/${filename}`,
  thumbnail_url: `https://host.test/i/thumb-${filename}`,
  description: '',
  thumbnail_avif_url: null,
  screen_url: `https://host.test/i/${filename}`,
  screen_avif_url: null,
  location: 'none',
  filename,
  uploaded_at: '2025-11-18T10:00:00.000Z',
  expires_at: null,
  width: 30,
  height: 20,
  size,
  content_type: 'image/png',
  placeholder: '',
  camera: null,
  duplicate: false,
  ...more,
});

/** As the guest who added it sees it. */
export const guestImageOf = (filename: string, size = 10): GuestImage => ({
  id: `code-${filename}-${size}`,
  filename,
  own: true,
  waiting: false,
  size,
  width: 30,
  height: 20,
  placeholder: '',
  thumbnail_url: `https://host.test/c/key/i/${filename}/thumbnail.webp`,
  screen_url: `https://host.test/c/key/i/${filename}/screen.webp`,
});

export const rejectionOf = (
  filename: string,
  code = 'NOT_AN_IMAGE',
  message = `${filename} is no image`,
): Rejection => ({
  filename,
  code,
  message,
});
