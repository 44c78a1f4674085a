const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`);

const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
const waitTime = (seconds: number): string => (seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

const timeLeft = (seconds: number): string => {
  if (seconds < 60) return `about ${seconds} s left`;
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.round(seconds / 3600)} h left`;
};

const timeLeftSpoken = (seconds: number): string => {
  if (seconds < 60) return `about ${seconds} seconds left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'about 1 minute left' : `about ${minutes} minutes left`;
  const hours = Math.round(seconds / 3600);
  return hours === 1 ? 'about 1 hour left' : `about ${hours} hours left`;
};

export const en = {
  title: 'Upload Images',
  images,
  drop: {
    mouse: 'Drag and drop images here, or click to choose',
    mouseHint: 'Paste from the clipboard or drop a whole folder.',
    touch: 'Tap to choose images',
    touchHint: 'Several at once is fine.',
    over: 'Drop to add',
    unreadable: 'These files could not be read.',
  },
  pending: {
    title: 'Pending',
    clear: 'Clear all',
    remove: (name: string) => `Remove ${name}`,
    uploaded: 'Uploaded',
    notUploaded: 'Not uploaded',
    waiting: (size: string) => `Waiting · ${size}`,
    part: (percent: number, size: string) => `${percent}% of ${size}`,
    retry: 'Retry',
    retryNamed: (name: string) => `Retry ${name}`,
  },
  dock: {
    ready: (count: number) => ({ count: images(count), rest: ' ready to upload' }),
    refused: (count: number) => ({ count: images(count), rest: ' not uploaded' }),
    nothing: 'No images chosen yet',
    upload: 'Upload',
    uploading: 'Uploading...',
    cancel: 'Cancel',
    retryAll: 'Retry all',
    view: 'View Images',
    done: 'Your images are in the gallery.',
    overall: 'Overall progress',
    count: (done: number, total: number) => `${done} of ${total}`,
    bytes: (sent: string, total: string) => `${sent} of ${total}`,
    speed: (size: string) => `${size}/s`,
    timeLeft,
    finishing: 'Finishing…',
    held: (seconds: number) => `The server is busy. Going on by itself in ${waitTime(seconds)}`,
    value: (percent: number, seconds: number | null) =>
      seconds === null ? `${percent}%` : `${percent}%, ${timeLeftSpoken(seconds)}`,
  },
  toast: {
    none: 'Please select at least one image.',
    success: 'Images uploaded successfully 📸',
    failure: 'Upload failed. Please try again.',
    counts: (stored: number, refused: number) =>
      `${stored} of ${images(stored + refused)} uploaded, ${refused} not${refused === 1 ? ': it says why' : '. Each says why'}.`,
  },
  /** What becomes of the place and the serial numbers that stored images tell; '' for none that does. */
  locations: ({ removed, kept, withheld }: { removed: number; kept: number; withheld: number }): string =>
    [
      removed > 0 ? `Location and serial numbers left out of ${links(removed)}.` : '',
      kept > 0 ? `Location and serial numbers handed out with ${links(kept)}.` : '',
      withheld > 0 ? `Originals not handed out by ${links(withheld)}: their location could not be removed.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  reason: {
    login: 'Please log in again.',
    tooLarge: 'Larger than the server accepts.',
    full: 'The server has no space left.',
    unknown: 'The server could not save it.',
  },
  speech: {
    added: (count: number, pending: number) => `${images(count)} added, ${pending} pending`,
    alreadyListed: (pending: number) => `Already in the list, ${pending} pending`,
    removed: (name: string, pending: number) => `${name} removed, ${pending} pending`,
    started: (count: number) => `Uploading ${images(count)}`,
    passed: (percent: number) => `${percent}% uploaded`,
    held: (seconds: number) => `The server is busy. The upload goes on by itself in ${waitTime(seconds)}`,
    refused: (name: string, reason: string) => `${name} not uploaded. ${reason}`,
    refusedMany: (count: number) => `${images(count)} not uploaded`,
    ended: (stored: number, refused: number) =>
      refused === 0 ? `${images(stored)} uploaded` : `${stored} uploaded, ${refused} not`,
    cancelled: 'Upload cancelled. Your list is still here.',
  },
};
