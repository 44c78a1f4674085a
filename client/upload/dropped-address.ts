/** A picture that was dragged from another page, of which the browser passes on only the address. */

/** What a drop carries besides files. A drop can be read only during its event. */
export interface DroppedAddress {
  /** The first address of `text/uri-list`: for a picture in a link, that of the link. */
  readonly uri: string;
  readonly html: string;
}

/** The address of the dragged picture. */
export function addressOf({ uri, html }: DroppedAddress): string {
  const source = /<img\b[^>]*?\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)')/i.exec(html);
  const written = source?.[1] ?? source?.[2];
  return written?.replaceAll('&amp;', '&') ?? uri.split(/[\r\n]+/).find((line) => line && !line.startsWith('#')) ?? '';
}

/** The CSP forbids scripts to fetch a `data:` URL. @throws Error for other texts */
function bytesOf(dataUrl: string): Blob {
  const {
    type = '',
    base64,
    data = '',
  } = /^data:(?<type>image\/[\w.+-]+)[^,]*?(?<base64>;base64)?,(?<data>.*)$/is.exec(dataUrl)?.groups ?? {};
  if (type === '') throw new Error('no picture');
  const text = decodeURIComponent(data);
  return new Blob([base64 ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : text], { type });
}

/** The page's policy (server/http/response-headers.ts) refuses every address that is not this gallery's, without a request. */
async function fetched(address: string): Promise<Blob> {
  const response = await fetch(address);
  const bytes = await response.blob();
  if (!response.ok || !bytes.type.startsWith('image/')) throw new Error('no picture');
  return bytes;
}

function nameOf(address: string, type: string): string {
  const last = /^https?:/i.test(address) ? (new URL(address).pathname.split('/').at(-1) ?? '') : '';
  try {
    if (last !== '') return decodeURIComponent(last);
  } catch {
    return last;
  }
  return `dragged.${/^image\/(\w+)/.exec(type)?.[1] ?? 'png'}`;
}

/** @throws an error for a picture of another site, or for what is no picture */
export async function fileAt(dropped: DroppedAddress): Promise<File> {
  const address = addressOf(dropped);
  const bytes = /^data:/i.test(address) ? bytesOf(address) : await fetched(address);
  return new File([bytes], nameOf(address, bytes.type), { type: bytes.type });
}
