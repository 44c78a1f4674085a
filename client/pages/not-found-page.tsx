import { texts } from '../text/shell.ts';
import { PageHeading } from '../ui/page-heading.tsx';
export function NotFoundPage() {
  return <PageHeading title={texts.notFound} />;
}
