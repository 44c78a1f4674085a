/** `/file/d/<id>/view`, `/file/u/0/d/<id>/edit`, `/open?id=<id>` and `/uc?id=<id>` */
const inPath = /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]{10,128})(?:\/|$)/;
const id = /^[\w-]{10,128}$/;

/** Parses links of Google Drive. @returns the preview, which is the only page that Drive lets others frame; null without a file's id */
export function drive({ pathname, searchParams }: URL): string | null {
  const behind = /^\/(?:open|uc)$/.test(pathname) ? searchParams.get('id') : null;
  const file = inPath.exec(pathname)?.[1] ?? id.exec(behind ?? '')?.[0];
  if (!file) return null;
  const key = /^[\w-]{1,64}$/.exec(searchParams.get('resourcekey') ?? '')?.[0];
  return `https://drive.google.com/file/d/${file}/preview${key ? `?resourcekey=${key}` : ''}`;
}
