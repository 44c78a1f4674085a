import { lazy, Suspense } from 'react';
import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';
import { shell as texts } from '../text/words.ts';
import { PageHead } from '../ui/page/page-head.tsx';
import { LoadingLine } from '../ui/progress/loading-line.tsx';

// Loaded later, because no page may start with more JavaScript than the limit (scripts/check-bundle.mjs).
const loadScreen = () => withWords([sharingWords], import('./links-screen.tsx'));
const LinksScreen = lazy(async () => ({ default: (await loadScreen()).LinksScreen }));

export default function LinksPage() {
  return (
    <>
      <PageHead title={texts.links} />
      <Suspense fallback={<LoadingLine at="window" />}>
        <LinksScreen />
      </Suspense>
    </>
  );
}
