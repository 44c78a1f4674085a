const images = (count: number): string => (count === 1 ? '1 image' : `${count} images`);
const estimated = (count: number): string => `about ${count.toLocaleString('en')}`;

export const en = {
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
  confirm: {
    title: 'Are you sure?',
    text: 'You are about to delete this image permanently.',
    yes: 'Yes, Delete',
    no: 'Cancel',
  },
  toast: {
    deleted: 'Image deleted.',
    deleteFailed: 'Delete failed',
    alreadyGone: 'It had been deleted already.',
  },
  pager: {
    label: 'Pages',
    previous: 'Prev',
    next: 'Next',
    page: (page: number, pages: number, isEstimate = false) =>
      `Page ${page} of ${isEstimate ? estimated(pages) : pages}`,
    spoken: (page: number, pages: number, count: number) => `Page ${page} of ${pages}, ${images(count)}`,
    found: (total: number, isEstimate = false) => `${isEstimate ? `${estimated(total)} images` : images(total)} found`,
  },
  preview: {
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
    fit: 'Fit to window',
    zoomFailed: 'The full size could not be loaded.',
    facts: {
      filename: 'Filename',
      uploaded: 'Uploaded',
      dimensions: 'Dimensions',
      size: 'Size',
      type: 'Type',
    },
    location: {
      removed: 'Location and serial numbers are left out of the link.',
      kept: 'Location and serial numbers are handed out with the link.',
      withheld: 'The link does not hand out the original because its location could not be removed.',
    },
    codes: { link: 'Link', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  },
};
