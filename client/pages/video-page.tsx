import { own } from '../session/own.ts';
import { video as texts } from '../text/words.ts';
import { PageHeading } from '../ui/page/page-heading.tsx';
import { VideoPlayer } from '../video/video-player.tsx';
import styles from './video-page.module.css';

const kept = own.value('videos');

// The heading is Arabic in every language. Its font loads with this file, which may be ahead of the page.
document.fonts.load('1em Vazirmatn', 'م').catch(() => undefined);

export default function VideoPage() {
  return (
    <div className={styles.theatre}>
      <PageHeading title={texts.title} lang="ar" dir="rtl" className={styles.heading}>
        {texts.heading}
      </PageHeading>
      <VideoPlayer kept={kept} />
    </div>
  );
}
