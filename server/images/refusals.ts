import { NotFound } from '../errors.ts';

export const noImageAtLink = () => new NotFound('There is no image at this link. It may have been deleted.');

export const noSuchImage = () => new NotFound('There is no such image. It may have been deleted already.');
