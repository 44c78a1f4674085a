import { notFound as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';
import { FallenTile } from '../ui/mosaic/fallen-tile.tsx';
import { PageHeading } from '../ui/page/page-heading.tsx';
import styles from './not-found-page.module.css';

export default function NotFoundPage() {
  return (
    <main className={styles.lost}>
      <FallenTile />
      <div className={styles.words}>
        <PageHeading title={`${texts.code} ${texts.title}`} className={styles.heading}>
          <span className={styles.code}>{texts.code}</span> <span>{texts.title}</span>
        </PageHeading>
        <ButtonLink href="/" variant="primary" size="large">
          {texts.goHome}
        </ButtonLink>
      </div>
    </main>
  );
}
