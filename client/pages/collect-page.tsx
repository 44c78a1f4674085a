import { lazy, Suspense } from 'react';
import { GuestLayout } from '../guest/guest-layout.tsx';
import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';
import { LoadingLine } from '../ui/loading-line.tsx';

/** With the words of password fields. */
const loadScreen = () => withWords(['auth', sharingWords], import('../guest/guest-screen.tsx'));
const GuestScreen = lazy(async () => ({ default: (await loadScreen()).GuestScreen }));

/** The page of a collect link, for people without an account. @param link its key */
export default function CollectPage({ link = '' }: { link?: string }) {
  return (
    <GuestLayout>
      <Suspense fallback={<LoadingLine at="window" />}>
        <GuestScreen path={`../c/${link}`} />
      </Suspense>
    </GuestLayout>
  );
}
