/** Saving a file under the name that its owner gave it. */
export const isSameOrigin = (url: string, origin: string): boolean => {
  try {
    return new URL(url, origin).origin === origin;
  } catch {
    return false;
  }
};

/** For a file of another origin, where a link's `download` is ignored and carries no login: its bytes were fetched first. */
export function saveBytes(bytes: Blob, filename: string): void {
  const blobUrl = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = blobUrl;
  link.download = filename;
  link.click();
  // The browser has taken the blob over once the click is through.
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
}
