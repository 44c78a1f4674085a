/** Where this page's uploads go: to the account, or on the page of a collect link to that link. */
let target = { form: 'images/upload', resumable: 'uploads' };

export const uploadTarget = (): Readonly<typeof target> => target;

/** @param path of a collect link: `../c/<key>` */
export function uploadTo(path: string): void {
  target = { form: `${path}/upload`, resumable: `${path}/uploads` };
}
