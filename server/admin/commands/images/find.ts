import type { Command } from 'commander';
import type { ImageRow } from '../../../../drizzle/schema.ts';
import { linkPath } from '../../../images/links/link-paths.ts';
import type { Shell } from '../console/shell.ts';
import { size } from '../console/size.ts';
import { printable, table } from '../console/table.ts';
import { nameOf } from '../users/account.ts';
import { imageArgument, imageNamed } from './image.ts';
import { findCopies, listHidden, type OwnedImage } from './queries.ts';

const stateOf = ({ image, owner }: OwnedImage): 'public' | 'hidden' | 'silenced' =>
  image.hiddenAt ? 'hidden' : owner.linksSilencedAt ? 'silenced' : 'public';

function stateLine(found: OwnedImage): string {
  const { hiddenAt, hiddenReason, hiddenLegal, waiting } = found.image;
  const state = stateOf(found);
  if (state === 'silenced') return 'the links of the whole account are silenced';
  if (!hiddenAt) return 'public';
  if (waiting) return `hidden until its owner admits it, since ${hiddenAt.toISOString()}`;
  const legal = hiddenLegal ? ' for legal reasons' : '';
  return `hidden since ${hiddenAt.toISOString()}${legal}${hiddenReason ? `: ${hiddenReason}` : ''}`;
}

const forPrograms = (found: OwnedImage, copies: ImageRow[]) => {
  const { image, owner } = found;
  return {
    id: image.id,
    path: linkPath(image),
    owner: { id: owner.id, username: owner.username, email: owner.email },
    filename: image.filename,
    uploaded_at: image.uploadedAt.toISOString(),
    size: image.size,
    content_type: image.contentType,
    sha256: image.sha256,
    state: stateOf(found),
    hidden_at: image.hiddenAt?.toISOString() ?? null,
    hidden_reason: image.hiddenReason,
    hidden_legal: image.hiddenLegal,
    same_bytes: copies.map(({ id }) => id),
  };
};

function forPeople(found: OwnedImage, copies: ImageRow[]): string {
  const { image, owner } = found;
  const lines = [
    ['id', image.id],
    ['link', linkPath(image)],
    ['owner', `${nameOf(owner)}, ${owner.id}`],
    ['filename', image.filename],
    ['uploaded', image.uploadedAt.toISOString()],
    ['size', `${size(image.size)}, ${image.contentType}, ${image.width} x ${image.height}`],
    ['sha256', image.sha256],
    ['state', stateLine(found)],
    ['same bytes', copies.length === 0 ? 'in no other picture of this account' : copies.map(({ id }) => id).join(', ')],
  ];
  return lines.map(([name = '', value = '']) => `${name.padEnd(12)}${printable(value)}`).join('\n');
}

export function addImagesFind(images: Command, shell: Shell): void {
  images
    .command('find')
    .description('show whose picture is behind a link, and whether its links are open')
    .argument('<link>', imageArgument)
    .option('--json', 'as JSON, for programs')
    .action((text: string, { json }: { json?: boolean }) =>
      shell.withAdmin(async ({ db }) => {
        const found = await imageNamed(db, text);
        const copies = await findCopies(db, found.image);
        console.log(json ? JSON.stringify(forPrograms(found, copies), undefined, 2) : forPeople(found, copies));
      }),
    );
}

const headings = ['id', 'owner', 'filename', 'hidden', 'legal', 'reason'];

export function addImagesHidden(images: Command, shell: Shell): void {
  images
    .command('hidden')
    .description('list the pictures whose links are hidden')
    .action(() =>
      shell.withAdmin(async ({ db }) => {
        const rows = (await listHidden(db)).map(({ image, owner }) => [
          image.id,
          owner.username,
          image.filename,
          image.hiddenAt?.toISOString().slice(0, 10) ?? '',
          image.hiddenLegal ? 'yes' : '',
          image.hiddenReason ?? '',
        ]);
        console.log(table(headings, rows));
      }),
    );
}
