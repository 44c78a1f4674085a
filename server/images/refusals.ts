import { NotFound } from '../errors.ts';

export const noSuchImage = () => new NotFound('There is no such image. It may have been deleted already.');
