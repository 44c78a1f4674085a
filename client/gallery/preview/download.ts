/**
 * The name under which an image is saved. The server judged its type from the bytes; a name without that extension still opens
 * wrongly on some systems, but it is the user's own.
 */
export const isSameOrigin = (url: string, origin: string): boolean => {
  try {
    return new URL(url, origin).origin === origin;
  } catch {
    return false;
  }
};

/** Saves a file from another origin, where a link's `download` is ignored: its bytes are fetched first. */
export async function saveFromAfar(url: string, filename: string): Promise<void> {
  const response = await fetch(url, { credentials: 'omit' });
  if (!response.ok) throw new Error(`the link answered ${response.status}`);
  const blobUrl = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = blobUrl;
  link.download = filename;
  link.click();
  // The browser has taken the blob over once the click is through.
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
}
