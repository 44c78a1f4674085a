import { PageHead } from '../layout/page-head.tsx';
import { texts } from '../text/video.ts';
export function VideoPage() {
  return <PageHead title={texts.title} />;
}
