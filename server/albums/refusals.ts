import { NotFound } from '../errors.ts';

export const noSuchAlbum = () => new NotFound('There is no such album. It may have been deleted already.');
export const notInAlbum = () => new NotFound('There is no such image in this album. It may have been removed already.');
