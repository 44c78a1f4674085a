/**
 * The English texts, by area, in parts that load one by one (language.ts). Texts fixed by the product's specification are
 * verbatim. Every other language has the same shape (words.ts); functions put counts, sizes and percentages into sentences.
 */
import type { ProfileProgram, ResetRequest, Scope } from '../../../server/contract.ts';
import type { Refusal } from '../refusal.ts';

const images = (count: number): string => (count === 1 ? '1 image' : `${grouped(count)} images`);
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

const otherDevices = (count: number): string => (count === 1 ? '1 other device' : `${count} other devices`);
const share = (count: number): string => (count === 1 ? 'shares' : 'share');

/** What every screen may need. */
export const start = {
  /** BCP 47, for dates, numbers and sizes; without a region, the reader's region from the browser. */
  locale: 'en',
  separator: ' · ',
  /** The language of the server's mails, if it does not write them in this one. */
  mailLanguage: 'en' as NonNullable<ResetRequest['language']>,
  api: {
    unreachable: 'The connection was lost.',
    timeout: "The server didn't answer in time.",
    /** Why the server refused. Its own messages are English. */
    refusal: ({ message }: Refusal): string => message,
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
    links: 'My links',
    logout: 'Logout',
    collapse: 'Collapse sidebar',
    expand: 'Expand sidebar',
    theme: 'Theme',
    themeNames: { system: 'System', light: 'Light', dark: 'Dark' },
    themeIs: (name: string) => `Theme: ${name}`,
    loading: 'Loading',
    offline: 'You are offline.',
    pageFailed: "Couldn't load this page.",
    tryAgain: 'Check your connection and try again.',
    reload: 'Reload',
    languageFailed: "Couldn't load the language. Check your connection and try again.",
    sessionExpired: 'Your session has expired. Please log in again.',
  },
};

/** What the pages for an account need besides. */
export const auth = {
  auth: {
    /** Why the server refused a call for an account; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
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
    accountCreated: 'Your account was created. Log in with your password.',
    forgotFailed: "Couldn't send the link.",
    reportAbuse: 'Report abuse',
  },
};

/** What the gallery starts with besides. */
export const gallery = {
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
      remove: 'Delete',
      removing: 'Deleting...',
    },
    toast: {
      deleteFailed: 'Delete failed',
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
};

/** What the upload page needs besides. */
export const upload = {
  upload: {
    title: 'Upload Images',
    shareMissed: "The shared images didn't arrive. Share them again, or choose them below.",
    /** Why the server refused an upload; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
    images,
    drop: {
      mouse: 'Drag and drop images here, or click to choose',
      mouseHint: 'Paste from the clipboard or drop a whole folder.',
      touch: 'Tap to choose images',
      touchHint: 'Several at once is fine.',
      over: 'Drop to add',
      unreadable: "Couldn't read these files.",
    },
    pending: {
      title: 'Pending',
      clear: 'Clear all',
      remove: (name: string) => `Remove ${name}`,
      uploaded: 'Uploaded',
      notUploaded: 'Not uploaded',
      waiting: (size: string) => `Waiting · ${size}`,
      part: (percent: number, size: string) => `${percent}% of ${size}`,
      loadFailed: "Couldn't show the list. Check your connection and try again.",
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
      lost: 'Connection lost. Reconnecting…',
      retryAll: 'Retry all',
      view: 'View Images',
      done: 'Your images are in the gallery.',
      overall: 'Overall progress',
      count: (done: number, total: number) => `${done} of ${total}`,
      bytes: (sent: string, total: string) => `${sent} of ${total}`,
      speed: (size: string) => `${size}/s`,
      timeLeft,
      finishing: 'Finishing…',
      retryAfter: (seconds: number) => `Server is busy. Retrying in ${waitTime(seconds)}`,
      value: (percent: number, seconds: number | null) =>
        seconds === null ? `${percent}%` : `${percent}%, ${timeLeftSpoken(seconds)}`,
    },
    toast: {
      none: 'Please select at least one image.',
      success: 'Images uploaded successfully 📸',
      failure: 'Upload failed. Please try again.',
      counts: (stored: number, refused: number) =>
        `${stored} of ${images(stored + refused)} uploaded, ${refused} failed. See why under ${refused === 1 ? 'it' : 'them'}.`,
    },
    summary: {
      title: 'Last upload',
      stored: (count: number) => `${grouped(count)} stored`,
      there: (count: number) => `${grouped(count)} already there`,
      refused: (count: number) => `${grouped(count)} not uploaded`,
      more: (count: number) => `and ${grouped(count)} more`,
      close: 'Dismiss',
    },
    /** What happens to the location and serial numbers in stored images; '' if there are none. */
    locations: ({ removed, kept, withheld }: { removed: number; kept: number; withheld: number }): string =>
      [
        removed > 0 ? `${links(removed)} ${removed === 1 ? 'leaves' : 'leave'} out location and serial numbers.` : '',
        kept > 0 ? `${links(kept)} ${share(kept)} location and serial numbers.` : '',
        withheld > 0
          ? `${links(withheld)} ${withheld === 1 ? "doesn't" : "don't"} share the original because its location couldn't be removed.`
          : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    reason: {
      login: 'Please log in again.',
      tooLarge: 'Larger than the server accepts.',
      full: 'The server has no space left.',
      unknown: 'The server could not save it.',
      unreadable: 'The file was changed or moved. Choose it again.',
    },
    speech: {
      added: (count: number, pending: number) => `${images(count)} added, ${pending} pending`,
      alreadyListed: (pending: number) => `Already in the list, ${pending} pending`,
      removed: (name: string, pending: number) => `${name} removed, ${pending} pending`,
      started: (count: number) => `Uploading ${images(count)}`,
      passed: (percent: number) => `${percent}% uploaded`,
      retryAfter: (seconds: number) => `Server is busy. Retrying in ${waitTime(seconds)}`,
      refused: (name: string, reason: string) => `${name} not uploaded. ${reason}`,
      refusedMany: (count: number) => `${images(count)} not uploaded`,
      ended: (stored: number, refused: number) =>
        refused === 0 ? `${images(stored)} uploaded` : `${stored} uploaded, ${refused} not uploaded`,
      there: (count: number) => `${grouped(count)} of them ${count === 1 ? 'was' : 'were'} already there`,
      paused: 'Upload paused',
      resumed: 'Upload resumed',
      cancelled: 'Upload cancelled. Your list is still here.',
    },
  },
  usage: {
    bytes: (used: string, most: string) => `${used} of ${most} used`,
    images: (used: number, most: number) => `${grouped(used)} of ${most === 1 ? '1 image' : `${grouped(most)} images`}`,
    full: (words: string) => `Full: ${words}`,
  },
};

/** What the other screens need, and later states of these. */
export const later = {
  keyboard: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    enabled: 'Single-key shortcuts',
    hint: 'Turn them off if speech input or stray keys trigger them. Arrows, Enter, Delete and Esc stay on.',
    or: 'or',
    everywhere: 'Everywhere',
    gallery: 'Image Gallery',
    overlay: 'Open image',
    keys: {
      help: 'Show these shortcuts',
      sidebar: 'Collapse or expand the sidebar',
      undo: 'Undo',
      search: 'Search images',
      move: 'Go to the next image in that direction',
      open: 'Open the image',
      select: 'Select the image',
      selectAll: 'Select all images on the page',
      leave: 'Leave selection',
      turn: 'Previous or next image',
      ends: 'First or last image on the page',
      zoom: 'Zoom in, zoom out, fit',
      details: 'Show or hide details',
      copy: 'Copy the link',
      download: 'Download',
      remove: 'Delete',
      close: 'Close',
    },
  },
  notFound: {
    code: '404',
    title: 'Page Not Found',
    goHome: 'Go to Home',
  },
  install: {
    newVersion: 'A new version is ready.',
    newVersionLater: 'A new version is ready. Reload when the upload is finished.',
    reload: 'Reload',
  },
  passwords: {
    forgot: {
      title: 'Reset your password',
      note: 'You get a link to set a new password.',
      send: 'Send link',
      sent: 'If an account uses this email, a link is on its way. It works for one hour.',
      back: 'Back to',
    },
    reset: {
      title: 'Set a new password',
      new: 'New password',
      hint: 'At least 8 characters.',
      save: 'Save password',
      saved: 'Password saved. You can now log in.',
      failed: "Couldn't save the password.",
      incomplete: 'This link is incomplete. Open it from the email again, or request a new one.',
      again: 'Request a new link',
    },
    email: {
      title: 'Confirm your email',
      note: 'After you confirm it, log in with this email.',
      confirm: 'Confirm email',
      confirmed: 'Email confirmed',
      failed: "Couldn't confirm the email.",
      incomplete: 'This link is incomplete. Open it from the email again, or send a new one from your settings.',
      settings: 'Settings',
    },
  },
  finding: {
    /** Why the server refused a search; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
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
        'Search finds your exact text in filenames and descriptions. These filters narrow it; images must match all of them.',
      examples: {
        'type:png': 'One type: jpeg, png, webp, gif, avif, tiff, svg or heic',
        'size:>5mb': 'Larger than 5 MB; also <, >= and <=, with kb, mb or gb',
        'before:2026-01-01': 'Uploaded before a day, a month (2026-01) or a year',
        'after:2025': 'Uploaded after a day, a month or a year',
        'on:2025-11': 'Uploaded on a day, or in a month or a year',
        'album:"Summer"': 'In the album with this name',
        'orientation:portrait': 'Taller than wide; also landscape and square',
      },
      quotes: 'Dates are in UTC. Text in quotes, such as "type:png", is searched as plain text.',
    },
    searchNotes: {
      plain: (word: string) => `Searched for “${word}” as plain text because its value isn't valid.`,
    },
    edit: {
      open: 'Rename or describe',
      filename: 'Filename',
      description: 'Description',
      hint: "For people who can't see the image, and for search.",
      save: 'Save',
      cancel: 'Cancel',
      saved: 'Saved',
      failed: "Couldn't save the change.",
    },
  },
  selection: {
    bar: 'Selection',
    count: (count: number) => `${grouped(count)} selected`,
    all: 'Select all',
    copy: 'Copy links',
    copied: (count: number) => `${links(count)} copied`,
    copyRefused: "Couldn't copy: your browser blocked the clipboard",
    tooMany: (most: number) => `You can download at most ${most} images at once.`,
    confirm: (count: number) => `You are about to delete ${count} images permanently.`,
    deleted: (count: number) => `${images(count)} deleted`,
    someLeft: (left: number, count: number) => `Couldn't delete ${left} of ${images(count)}.`,
  },
  preview: {
    /** Why the server refused the bytes of an image; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
    copyLabel: 'Copy this link',
    deleted: 'Image deleted.',
    alreadyGone: 'It was already deleted.',
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
    downloadFailed: "Couldn't download the image.",
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
      hint: 'The image itself, as PNG',
      failed: "Couldn't copy the image.",
      insecure: 'Browsers can copy images only on pages opened over https.',
      refused: "Your browser blocked it, or the image couldn't be read. Download it instead.",
    },
    fit: 'Fit to window',
    zoomFailed: "Couldn't load the full size. Check your connection and try again.",
    facts: {
      filename: 'Filename',
      uploaded: 'Uploaded',
      dimensions: 'Dimensions',
      size: 'Size',
      type: 'Type',
      camera: 'Camera',
    },
    expiry: {
      label: 'Expires',
      never: 'Never',
      /** `left` is a phrase such as `in 3 days`. */
      soon: (left: string) => `Expires ${left}`,
      on: (moment: string) => `Expires ${moment}`,
      expired: 'Expired',
      change: 'Change',
      changeNamed: 'Change when it expires',
      choices: {
        never: 'Never',
        '1h': 'In 1 hour',
        '1d': 'In 1 day',
        '7d': 'In 7 days',
        '30d': 'In 30 days',
        '1y': 'In 1 year',
        date: 'On another date',
      },
      date: 'Date and time',
      forever: 'The image stays until you delete it.',
      ends: (moment: string) => `On ${moment}, the image is deleted and its link stops working.`,
      outOfRange: 'Choose a time from 5 minutes to 5 years from now.',
      kept: 'The image no longer expires',
      failed: "Couldn't change when the image expires.",
      gone: {
        title: 'This image has expired.',
        text: 'Its link no longer works, and the server deletes it within minutes.',
      },
    },
    location: {
      removed: 'The link leaves out location and serial numbers.',
      kept: 'The link shares location and serial numbers.',
      withheld: "The link doesn't share the original because its location couldn't be removed.",
    },
    hidden: {
      card: 'Hidden by the administrator',
      title: 'The administrator hid this image.',
      text: 'Its link no longer works for anyone. You can still download or delete it.',
      legal: 'It was hidden for legal reasons.',
      reason: 'Reason:',
    },
    codes: { link: 'Link', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  },
  emptyGallery: {
    hint: 'Images you upload appear here.',
    searchHint: 'Try another word, or show all images.',
    showAll: 'Show all images',
  },
  undo: {
    button: 'Undo',
    close: 'Dismiss',
    file: (name: string) => `Removed ${name}`,
    files: (count: number) => `Removed ${images(count)}`,
    search: 'Showing all images',
  },
  albums: {
    /** Why the server refused a call for albums; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
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
    emptyHint: 'Select images in your gallery and add them to an album, or create an empty one with New album.',
    emptyAlbum: 'No images in this album yet.',
    emptyAlbumHint: 'Select images in your gallery, then choose Add to album.',
    toGallery: 'View Images',
    loading: 'Loading albums',
    loadFailed: "Couldn't load your albums.",
    albumFailed: "Couldn't load this album.",
    gone: 'This album no longer exists.',
    back: 'All albums',
    retry: 'Retry',
    failed: "Couldn't save the change.",
    failedForNow: "Couldn't save the change. Try again.",
    deleted: 'Album deleted',
    moved: (name: string, position: number, count: number) => `${name} is now ${position} of ${count}`,
    confirmDelete: {
      title: 'Are you sure?',
      text: 'Delete this album? Its images stay in your gallery.',
      yes: 'Yes, Delete',
    },
    image: {
      cover: 'Remove as cover',
      setCover: 'Set as cover',
      remove: 'Remove',
      removed: 'Removed from the album. The image stays in your gallery.',
    },
    link: {
      title: 'Public link',
      none: 'Only you can see this album.',
      open: 'Anyone with this link can view the album without logging in.',
      make: 'Create public link',
      label: 'Public link',
      copy: 'Copy',
      copied: 'Copied!',
      copyRefused: "Couldn't copy: your browser blocked the clipboard",
      copyByHand: 'The link is selected. Copy it from the field.',
      end: 'Turn off link',
      ended: 'Link turned off',
      confirm: {
        title: 'Are you sure?',
        text: 'People with the link will no longer be able to view this album. If you share again, the link will be different.',
        yes: 'Yes, turn it off',
      },
    },
    add: {
      button: 'Add to album',
      title: (count: number) => `Add ${images(count)} to`,
      create: 'Create a new album',
      added: (count: number, name: string) => `${images(count)} added to ${name}`,
      present: (name: string) => `Already in ${name}`,
      missing: (count: number) => `${images(count)} ${count === 1 ? 'is' : 'are'} no longer in your gallery.`,
      removed: (count: number, name: string) => `${images(count)} removed from ${name}`,
    },
  },
  links: {
    /** Why the server refused a call for links; undefined for the reasons in `api.refusal`. */
    refusal: (_refusal: Refusal): string | undefined => undefined,
    title: 'My links',
    section: 'Links',
    loading: 'Loading',
    retry: 'Retry',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    failed: "Couldn't save the change.",
    copy: 'Copy',
    copied: 'Copied!',
    copyRefused: "Couldn't copy: your browser blocked the clipboard",
    replace: {
      button: 'Replace link',
      menu: 'Replace links…',
      title: (count: number) => (count === 1 ? 'Replace the link?' : `Replace ${links(count)}?`),
      confirmText: (count: number) =>
        count === 1
          ? 'The image gets a new link. Links to it that you have shared stop working.'
          : `${images(count)} get new links. Links to them that you have shared stop working.`,
      yes: 'Replace',
      done: (count: number) =>
        count === 1 ? 'Link replaced. The new one is ready to copy.' : `${links(count)} replaced`,
      failed: "Couldn't replace the link.",
      someLeft: (left: number, count: number) => `Couldn't replace ${grouped(left)} of ${links(count)}.`,
      missing: 'The image was deleted or has expired.',
    },
    stable: {
      title: 'Stable links',
      about:
        'A stable link keeps its address and leads to an image of your choice, for example your logo. Anyone who guesses its name can see the image.',
      empty: 'No stable links yet. To create one, open an image and choose New stable link in its details.',
      loadFailed: "Couldn't load your stable links.",
      label: 'Stable link',
      create: 'New stable link',
      created: 'Stable link created',
      name: 'Name of the stable link',
      nameHint: '3 to 64 letters (a to z), digits, “-” or “_”. Anyone who guesses the name can see the image.',
      save: 'Create',
      copyNamed: (name: string) => `Copy the link ${name}`,
      point: 'Change image',
      pointNamed: (name: string) => `Change the image of ${name}`,
      pointed: 'The link now leads to this image',
      rename: 'Rename',
      renameNamed: (name: string) => `Rename ${name}`,
      renamed: 'Link renamed. Its former name no longer works.',
      remove: 'Delete',
      removeNamed: (name: string) => `Delete ${name}`,
      removed: 'Stable link deleted',
      noImage: 'Its image was deleted. Choose another one.',
      confirmRemove: {
        title: 'Are you sure?',
        text: (name: string) => `The link ${name} stops working, and others can take its name. The image stays.`,
        yes: 'Yes, Delete',
      },
    },
    qr: {
      button: 'QR code',
      named: (name: string) => `QR code of ${name}`,
      title: 'QR code',
      alt: (url: string) => `QR code of ${url}`,
      save: 'Download SVG',
    },
    picker: {
      search: 'Search your images',
      none: 'No images found.',
      failed: 'Failed to load images',
    },
    shared: {
      title: 'Public albums',
      about: 'Anyone with one of these links can view the album without logging in.',
      empty: 'No album has a public link.',
      open: 'Open album',
    },
    expiring: {
      title: 'Expiring images',
      about: 'At the time shown, the image is deleted and its link stops working.',
      empty: 'No images expire.',
      loadFailed: "Couldn't load your expiring images.",
      show: 'Show in gallery',
      more: (count: number) => `${images(count)} more expire later.`,
    },
  },
  video: {
    title: 'Video Player',
    // The heading is Arabic in every language, as the specification requires.
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
      removed: (count: number) => `Removed ${links(count)}`,
    },
    notAVideoLink: 'This does not look like a video link.',
    accepted:
      'Paste a YouTube, Vimeo, Dailymotion or Twitch link, a link to a media file, or any other address that starts with http:// or https://.',
  },
};

/** What the settings need besides. */
export const settings = {
  settings: {
    title: 'Settings',
    saved: 'Saved',
    failed: "Couldn't save. Try again.",
    retry: 'Retry',
    profile: {
      title: 'Profile',
      save: 'Save',
      passwordHint: 'Enter your password to change your email.',
    },
    email: {
      sent: 'To confirm your new email, open the link that was sent to it.',
      waiting: 'Not confirmed yet:',
      resend: 'Send link again',
      resent: 'Link sent again',
      cancel: 'Cancel change',
      cancelled: 'Email change cancelled',
    },
    storage: {
      title: 'Storage',
      label: 'Storage used',
      used: (size: string) => `${size} used`,
      of: (size: string) => ` of ${size}`,
      images,
      imagesOf: (used: number, most: number) => `${grouped(used)} of ${images(most)}`,
      almostFull: 'Almost full',
      full: 'Full',
      unlimited: 'Your account has no limit.',
      loading: 'Loading storage',
      loadFailed: "Couldn't load your storage.",
    },
    appearance: { title: 'Appearance', shortcuts: 'Keyboard shortcuts' },
    language: { title: 'Language' },
    password: {
      title: 'Password',
      current: 'Current password',
      new: 'New password',
      newHint: 'At least 8 characters.',
      change: 'Change password',
      ended: (count: number) => (count === 0 ? undefined : `Logged out ${otherDevices(count)}.`),
      note: 'Changing your password logs out your other devices.',
      endTokens: 'Also end my API tokens',
      endedTokens: (count: number) => (count === 1 ? 'Ended 1 API token.' : `Ended ${count} API tokens.`),
    },
    tokens: {
      title: 'API tokens',
      loading: 'Loading API tokens',
      loadFailed: "Couldn't load your API tokens.",
    },
    sessions: {
      title: 'Sessions',
      on: (browser: string, system: string) => `${browser} on ${system}`,
      unknown: 'Unknown device',
      current: 'This device',
      seen: 'Last used:',
      begun: 'Logged in:',
      end: 'Log out',
      endNamed: (name: string) => `Log out ${name}`,
      endOthers: 'Log out other devices',
      ended: (count: number) => (count === 1 ? 'Logged out 1 device' : `Logged out ${count} devices`),
      endFailed: "Couldn't log out the device.",
      loading: 'Loading sessions',
      loadFailed: "Couldn't load your sessions.",
      mails: 'Email me about logins from new devices',
    },
    deletion: {
      title: 'Delete account',
      note: 'This deletes your account and all its images permanently. Their links stop working at once.',
      open: 'Delete account…',
      ask: 'Delete your account?',
      text: (held: string) => `Your account and ${held} will be deleted permanently. This can't be undone.`,
      everything: 'everything in it',
      password: 'Your password',
      confirm: 'Delete account',
      cancel: 'Cancel',
      done: 'Your account was deleted.',
      failed: "Couldn't delete your account.",
    },
  },
};

/** What the API tokens in the settings need besides. */
export const tokens = {
  tokens: {
    note: 'A token lets a program use your account without your password. Give each program its own token.',
    empty: 'No API tokens yet.',
    make: 'New token',
    scopes: {
      'images:upload': 'Upload images',
      'images:read': 'List and search images',
      'images:write': 'Rename and describe images, and change their links',
      'images:delete': 'Delete images',
      'originals:read': 'Download originals, with their location',
      'albums:read': 'See albums',
      'albums:write': 'Create, change and delete albums',
      'albums:share': 'Share albums by link',
    } satisfies Record<Scope, string>,
    uploadOnly: 'Upload images only',
    programs: {
      sharex: 'ShareX (Windows)',
      flameshot: 'Flameshot (Linux)',
      ksnip: 'ksnip',
      picgo: 'PicGo',
      curl: 'curl (shell script)',
      ios: 'iPhone or iPad (Shortcuts)',
      cli: 'Command line',
    } satisfies Record<ProfileProgram, string>,
    facts: {
      start: 'Starts with',
      album: 'Only in the album',
      oneAlbum: 'Only in one album',
      created: 'Created:',
      expires: 'Expires:',
      never: 'Never expires',
      imagesExpire: (duration: string) => `Its images expire after ${duration}`,
      used: 'Last used:',
      unused: 'Not used yet',
      by: (program: string) => `by ${program}`,
    },
    form: {
      title: 'New token',
      name: 'Name',
      nameHint: 'For example, the program and the device.',
      may: 'What the token may do',
      choose: 'Choose what it may do',
      chooseOne: 'Choose at least one.',
      program: 'Program',
      programHint: 'You get a file that sets up this program.',
      noProgram: 'None',
      album: 'Album',
      albumHint: 'With an album, the token reaches nothing outside it.',
      everything: 'All images and albums',
      albumsFailed: "Couldn't load your albums.",
      expires: 'Expires',
      imagesExpire: 'Images expire',
      imagesExpireHint: 'Images uploaded with the token are deleted then.',
      lifetimes: {
        '1h': 'After 1 hour',
        '1d': 'After 1 day',
        '7d': 'After 7 days',
        '30d': 'After 30 days',
        '90d': 'After 90 days',
        '1y': 'After 1 year',
        never: 'Never',
      },
      create: 'Create token',
      cancel: 'Cancel',
      failed: "Couldn't create the token.",
    },
    made: {
      title: (name: string) => `The token “${name}” was created`,
      once: 'Copy the token now. You cannot see it again.',
      onceWithFile: 'Copy the token or download the file now. You cannot see them again.',
      secret: 'Token',
      copy: 'Copy',
      copied: 'Copied!',
      copyRefused: "Couldn't copy: your browser blocked the clipboard",
      copyByHand: 'The token is selected. Copy it yourself.',
      download: (filename: string) => `Download ${filename}`,
      done: 'Done',
      how: {
        sharex: 'Open the file with ShareX, and confirm that it becomes the active uploader.',
        flameshot: 'Make the file executable, and assign a key to it in your keyboard settings.',
        ksnip: 'Make the file executable, and choose it in ksnip under Script Uploader. The file names the settings.',
        picgo: 'Install the plugin web-uploader in PicGo. Then copy these settings into its configuration file.',
        curl: 'Make the file executable. Run it with the pictures to upload, and it prints their links.',
        ios: 'Build the shortcut on your iPhone or iPad in these steps.',
        cli: 'Download the command line client too. Load the settings in your shell, then run the client with Node.',
      } satisfies Record<ProfileProgram, string>,
    },
    end: 'End',
    endNamed: (name: string) => `End ${name}`,
    confirmEnd: {
      title: 'End this token?',
      text: (name: string) => `“${name}” stops working at once. This can't be undone.`,
      yes: 'End token',
      cancel: 'Cancel',
    },
    ended: 'Token ended',
    endFailed: "Couldn't end the token.",
  },
};
