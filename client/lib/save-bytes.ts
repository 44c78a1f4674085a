/** Starts a download, like a click on a download link. */
export function followLink(url: string, filename: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
}

/** Saves bytes that the page has. */
export function saveBytes(bytes: Blob, filename: string): void {
  const blobUrl = URL.createObjectURL(bytes);
  followLink(blobUrl, filename);
  // The delay gives the browser time to read the blob.
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
}
