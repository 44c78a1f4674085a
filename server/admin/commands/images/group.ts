import type { AddCommand } from '../console/shell.ts';
import { addImagesDelete } from './delete.ts';
import { addImagesFind, addImagesHidden } from './find.ts';
import { addImagesHide, addImagesShow } from './hide.ts';

export const addImages: AddCommand = (program, shell) => {
  const images = program
    .command('images')
    .description('find, hide and delete single pictures, after a report of abuse')
    .helpCommand(false);
  for (const add of [addImagesFind, addImagesHide, addImagesShow, addImagesHidden, addImagesDelete]) add(images, shell);
};
