import { NotFound } from '../errors.ts';

export const noSuchStableLink = () => new NotFound('There is no such stable link. It may have been deleted already.');
