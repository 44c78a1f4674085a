/**
 * The English words, by area. What the product's specification fixes stands here letter for letter. Every other language has the
 * same shape (texts.ts); counts, sizes and shares are put into sentences by functions.
 */
import type { Refusal } from '../refusal.ts';

const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`);
const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
const grouped = (count: number): string => count.toLocaleString('en');
const estimated = (count: number): string => `about ${grouped(count)}`;

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

const manyImages = (count: number): string => (count === 1 ? '1 image' : `${grouped(count)} images`);
const otherSessions = (count: number): string => (count === 1 ? '1 other session' : `${count} other sessions`);

export const texts = {
  /** BCP 47: by which dates, numbers and sizes are written; without a region, the reader's own, where the browser names one. */
  locale: 'en',
  separator: ' · ',
  api: {
    unreachable: 'The connection was lost.',
    timeout: 'The server did not answer in time.',
    /** Why the server refused. Its own sentences are English. */
    refusal: ({ message }: Refusal): string => message,
  },
  auth: {
    brandLabel: 'About',
    brandWord: 'ENCRYPTION',
    tagline: 'The storage provider that answers only to you.',
    login: 'Login',
    register: 'Register',
    signUp: 'Sign Up',
    username: 'Username',
    email: 'Email',
    password: 'Password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    forgotPassword: 'Forgot your password?',
    noAccount: "Don't have an account?",
    haveAccount: 'Already have an account?',
    loginWorked: 'Login successful 🎉',
    loginFailed: 'Login failed. Please check your credentials.',
    registrationWorked: 'Registration successful! You can now login.',
    registrationFailed: 'Registration failed. Please try again.',
    forgotFailed: 'The link was not sent',
    sessionExpired: 'Your session has expired. Please log in again.',
  },
  gallery: {
    title: 'Image Gallery',
    search: 'Search images',
    loading: 'Loading images',
    empty: 'No images found.',
    upload: 'Upload Images',
    loadFailed: 'Failed to load images',
    retry: 'Retry',
    card: {
      uploaded: 'Uploaded:',
      copy: 'Copy',
      copied: 'Copied!',
      copyLabel: 'Copy this link',
      remove: 'Delete',
      removing: 'Deleting...',
    },
    toast: {
      deleted: 'Image deleted.',
      deleteFailed: 'Delete failed',
      alreadyGone: 'It had been deleted already.',
    },
    select: {
      select: 'Select',
      one: (filename: string) => `Select ${filename}`,
    },
    pager: {
      label: 'Pages',
      previous: 'Prev',
      next: 'Next',
      page: (page: number, pages: number, isEstimate = false) =>
        `Page ${page} of ${isEstimate ? estimated(pages) : pages}`,
      spoken: (page: number, pages: number, count: number) => `Page ${page} of ${pages}, ${images(count)}`,
      found: (total: number, isEstimate = false) =>
        `${isEstimate ? `${estimated(total)} images` : images(total)} found`,
    },
  },
  shell: {
    skip: 'Skip to content',
    dashboard: 'Dashboard',
    mainNavigation: 'Main',
    uploadImages: 'Upload Images',
    viewImages: 'View Images',
    videoPlayer: 'Video Player',
    settings: 'Settings',
    more: 'More',
    albums: 'Albums',
    logout: 'Logout',
    collapse: 'Collapse sidebar',
    expand: 'Expand sidebar',
    theme: 'Theme',
    themeNames: { system: 'System', light: 'Light', dark: 'Dark' },
    themeIs: (name: string) => `Theme: ${name}`,
    notFoundCode: '404',
    notFound: 'Page Not Found',
    goHome: 'Go to Home',
    loading: 'Loading',
    pageFailed: 'This page could not be loaded.',
    reload: 'Reload',
    languageFailed: 'The language could not be loaded.',
  },
  install: {
    offline: 'You are offline.',
    newVersion: 'A new version is ready.',
    newVersionLater: 'A new version is ready. Load it when the upload is over.',
    reload: 'Reload',
  },
  upload: {
    title: 'Upload Images',
    shareMissed: 'The shared images did not arrive here. Share them once more, or choose them below.',
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
      pause: 'Pause',
      resume: 'Resume',
      paused: 'Paused',
      lost: 'The connection was lost. Going on by itself',
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
    receipt: {
      title: 'Last upload',
      stored: (count: number) => `${grouped(count)} stored`,
      there: (count: number) => `${grouped(count)} already there`,
      refused: (count: number) => `${grouped(count)} not uploaded`,
      more: (count: number) => `and ${grouped(count)} more`,
      close: 'Dismiss',
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
      unreadable: 'It has changed or is gone. Choose it again.',
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
      there: (count: number) => `${grouped(count)} of them ${count === 1 ? 'was' : 'were'} already there`,
      paused: 'Upload paused',
      resumed: 'Upload goes on',
      cancelled: 'Upload cancelled. Your list is still here.',
    },
  },
  usage: {
    bytes: (used: string, most: string) => `${used} of ${most} used`,
    images: (used: number, most: number) => `${grouped(used)} of ${most === 1 ? '1 image' : `${grouped(most)} images`}`,
    full: (words: string) => `Full: ${words}`,
  },
};

/** Of screens that hardly anybody begins with, and of what comes after the first look at the others. */
export const later = {
  passwords: {
    forgot: {
      title: 'Reset your password',
      note: 'A link to set a new password is mailed to you.',
      send: 'Send the link',
      sent: 'If there is an account with this email, a link is on its way. It works for an hour.',
      back: 'Back to',
    },
    reset: {
      title: 'Set a new password',
      new: 'New password',
      hint: '8 characters or more.',
      save: 'Save the password',
      saved: 'Your new password is saved. You can now login.',
      failed: 'The password was not saved',
      incomplete: 'This link is not complete. Open it from the mail once more, or ask for a new one.',
      again: 'Ask for a new link',
    },
  },
  finding: {
    sort: {
      label: 'Sort by',
      newest: 'Newest first',
      'date-asc': 'Oldest first',
      'name-asc': 'Name, A to Z',
      'name-desc': 'Name, Z to A',
      'size-desc': 'Largest first',
      'size-asc': 'Smallest first',
    },
    searchHelp: {
      label: 'Search tips',
      intro:
        'Text is looked for in names and descriptions, letter for letter. These words narrow the search; images must meet all of them.',
      examples: {
        'type:png': 'Of one type: jpeg, png, webp, gif, avif, tiff, svg or heic',
        'size:>5mb': 'Larger than that; also <, >= and <=, with kb, mb or gb',
        'before:2026-01-01': 'Uploaded before a day, a month (2026-01) or a year',
        'after:2025': 'Uploaded after it',
        'on:2025-11': 'Uploaded in it',
        'album:"Summer"': 'In an album of that name',
        'orientation:portrait': 'Taller than wide; also landscape and square',
      },
      quotes: 'Dates are in UTC. In quotes, as in "type:png", a word is plain text.',
    },
    searchNotes: {
      plain: (word: string) =>
        `“${word}” was looked for as plain text: its value is not understood. Search tips show how.`,
    },
    edit: {
      open: 'Rename or describe',
      filename: 'Filename',
      description: 'Description',
      hint: 'For people who cannot see the picture, and for searches.',
      save: 'Save',
      cancel: 'Cancel',
      saved: 'Saved',
      failed: 'This could not be saved.',
    },
  },
  selection: {
    bar: 'Selection',
    count: (count: number) => `${grouped(count)} selected`,
    all: 'Select all',
    copy: 'Copy links',
    copied: (count: number) => `${links(count)} copied`,
    copyRefused: 'Your browser lets no page copy here.',
    tooMany: (most: number) => `At most ${most} images can be downloaded at once.`,
    confirm: (count: number) => `You are about to delete ${count} images permanently.`,
    deleted: (count: number) => `${images(count)} deleted.`,
    someLeft: (left: number, count: number) => `${left} of ${images(count)} could not be deleted.`,
  },
  preview: {
    confirm: {
      title: 'Are you sure?',
      text: 'You are about to delete this image permanently.',
      yes: 'Yes, Delete',
      no: 'Cancel',
    },
    close: 'Close',
    previous: 'Previous image',
    next: 'Next image',
    download: 'Download',
    downloadOriginal: 'Download original',
    downloadFailed: 'Download failed',
    details: 'Details',
    copyAs: 'Copy as',
    position: (index: number, count: number) => `${index} of ${count}`,
    failed: 'This image could not be loaded.',
    zoom: 'Full size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    strip: 'Images on this page',
    stage: { gallery: 'Images', carousel: 'Carousel', slide: 'Image', slideOf: '{index} of {total}' },
    copyImage: {
      label: 'Image',
      hint: 'The picture itself, as PNG',
      failed: 'The image could not be copied.',
      insecure: 'Browsers copy images only from pages opened over https.',
      refused: 'The browser did not allow it, or the picture could not be read. Download it instead.',
    },
    fit: 'Fit to window',
    zoomFailed: 'The full size could not be loaded.',
    facts: {
      filename: 'Filename',
      uploaded: 'Uploaded',
      dimensions: 'Dimensions',
      size: 'Size',
      type: 'Type',
      camera: 'Camera',
    },
    location: {
      removed: 'Location and serial numbers are left out of the link.',
      kept: 'Location and serial numbers are handed out with the link.',
      withheld: 'The link does not hand out the original because its location could not be removed.',
    },
    codes: { link: 'Link', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  },
  emptyGallery: {
    hint: 'What you upload is shown here.',
    searchHint: 'Try another word, or look at all images.',
    showAll: 'Show all images',
  },
  undo: {
    button: 'Undo',
    file: (name: string) => `${name} taken off the list`,
    files: (count: number) => `${images(count)} taken off the list`,
    search: 'All images are shown',
  },
  albums: {
    title: 'Albums',
    count: images,
    create: 'New album',
    name: 'Album name',
    save: 'Save',
    cancel: 'Cancel',
    rename: 'Rename',
    remove: 'Delete',
    earlier: 'Move earlier',
    later: 'Move later',
    empty: 'No albums yet.',
    emptyHint: 'Select images in your gallery and add them to an album, or begin with an empty one: New album.',
    emptyAlbum: 'No images in this album yet.',
    emptyAlbumHint: 'Select images in your gallery, then press Add to album.',
    toGallery: 'View Images',
    loading: 'Loading albums',
    loadFailed: 'Failed to load albums',
    gone: 'There is no such album any more.',
    back: 'All albums',
    retry: 'Retry',
    failed: 'This did not work.',
    failedForNow: 'This did not work. Please try again.',
    deleted: 'Album deleted',
    moved: (name: string, position: number, count: number) => `${name} is now ${position} of ${count}`,
    confirmDelete: {
      title: 'Are you sure?',
      text: 'Delete this album? Its images stay in your gallery.',
      yes: 'Yes, Delete',
    },
    image: {
      cover: 'Cover',
      setCover: 'Set as cover',
      remove: 'Remove',
      removed: 'Removed from the album. The image stays in your gallery.',
    },
    pages: {
      label: 'Pages',
      previous: 'Prev',
      next: 'Next',
      page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    },
    link: {
      title: 'Public link',
      none: 'Only you can see this album.',
      open: 'Whoever has this link sees the album without a login.',
      make: 'Make a public link',
      label: 'Public link',
      copy: 'Copy',
      copied: 'Copied!',
      copyRefused: 'Your browser lets no page copy here.',
      copyByHand: 'The link is selected: copy it from its field.',
      end: 'End link',
      ended: 'The link is dead.',
      confirm: {
        title: 'Are you sure?',
        text: 'Whoever has the link will no longer see this album. A new link will be another one.',
        yes: 'Yes, end it',
      },
    },
    add: {
      button: 'Add to album',
      title: (count: number) => `Add ${images(count)} to`,
      create: 'Make a new album',
      added: (count: number, name: string) => `${images(count)} added to ${name}`,
      present: (name: string) => `Already in ${name}`,
      missing: (count: number) => `${images(count)} ${count === 1 ? 'is' : 'are'} no longer in your gallery.`,
      removed: (count: number, name: string) => `${images(count)} removed from ${name}`,
    },
  },
  settings: {
    title: 'Settings',
    saved: 'Saved',
    failed: 'Not saved. Please try again.',
    profile: {
      title: 'Profile',
      save: 'Save',
      passwordHint: 'Another email needs your password.',
    },
    storage: {
      title: 'Storage',
      label: 'Storage used',
      used: (size: string) => `${size} used`,
      of: (size: string) => ` of ${size}`,
      images: (count: number): string => manyImages(count),
      imagesOf: (used: number, most: number) => `${grouped(used)} of ${manyImages(most)}`,
      almostFull: 'Almost full',
      full: 'Full',
      unlimited: 'No limit is set for your account.',
    },
    appearance: { title: 'Appearance' },
    language: { title: 'Language' },
    password: {
      title: 'Password',
      current: 'Current password',
      new: 'New password',
      newHint: '8 characters or more.',
      change: 'Change password',
      ended: (count: number) => (count === 0 ? undefined : `${otherSessions(count)} ended.`),
      note: 'A new password ends all other sessions.',
    },
    sessions: {
      title: 'Sessions',
      on: (browser: string, system: string) => `${browser} on ${system}`,
      unknown: 'Unknown program',
      current: 'This session',
      seen: 'Last used:',
      begun: 'Logged in:',
      end: 'End',
      endNamed: (name: string) => `End the session of ${name}`,
      endOthers: 'End all others',
      ended: (count: number) => (count === 1 ? 'Session ended' : `${count} sessions ended`),
      endFailed: 'The session was not ended',
      loading: 'Loading sessions',
      loadFailed: 'Failed to load sessions',
      retry: 'Retry',
    },
    deletion: {
      title: 'Delete account',
      note: 'Deletes your account with all its images for good. Their links stop working at once.',
      open: 'Delete account…',
      ask: 'Delete your account?',
      text: (held: string) => `Your account and ${held} are deleted for good. Nobody can bring them back.`,
      everything: 'everything in it',
      password: 'Your password',
      confirm: 'Delete account',
      cancel: 'Cancel',
      done: 'Your account is deleted.',
      failed: 'Your account was not deleted',
    },
  },
  video: {
    title: 'Video Player',
    // The heading is Arabic in every language, as the specification has it.
    heading: 'مشغّل فيديو من مزوّد سحابي',
    label: 'Video URL',
    placeholder: 'Paste a video link',
    clear: 'Clear',
    frameTitle: 'Video player',
    watched: {
      title: 'Last watched',
      clear: 'Clear list',
      play: (link: string) => `Play ${link}`,
      remove: (link: string) => `Remove ${link}`,
      removed: (count: number) => (count === 1 ? 'One link was removed.' : `${count} links were removed.`),
      undo: 'Undo',
    },
    notAVideoLink: 'This does not look like a video link.',
    accepted:
      'Paste a page link from YouTube, Vimeo, Dailymotion or Twitch, a link to a media file, or the address of another site that starts with http:// or https://.',
  },
};
