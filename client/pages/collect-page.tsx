import { lazy, Suspense } from 'react';
import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';
import { LoadingLine } from '../ui/loading-line.tsx';

// All of it is loaded later: each file that the page names makes the first scripts of every page larger. With the words of password fields.
const loadScreen = () => withWords(['auth', sharingWords], import('../guest/guest-screen.tsx'));
const GuestScreen = lazy(async () => ({ default: (await loadScreen()).GuestScreen }));

/** The page of a collect link, for people without an account. @param link its key */
export default function CollectPage({ link = '' }: { link?: string }) {
  return (
    <Suspense fallback={<LoadingLine at="window" />}>
      <GuestScreen path={`../c/${link}`} />
    </Suspense>
  );
}
