import { lazy, Suspense } from 'react';
import { links as texts } from '../text/words.ts';
import { LoadingLine } from '../ui/loading-line.tsx';
import { PageHead } from '../ui/page-head.tsx';

// Loaded later, because no page may start with more JavaScript than the limit (scripts/check-bundle.mjs).
const LinksScreen = lazy(async () => ({ default: (await import('./links-screen.tsx')).LinksScreen }));

export default function LinksPage() {
  return (
    <>
      <PageHead title={texts.title} />
      <Suspense fallback={<LoadingLine at="window" />}>
        <LinksScreen />
      </Suspense>
    </>
  );
}
