import { texts } from '../text/shell.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FallenTile } from '../ui/fallen-tile.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import styles from './not-found-page.module.css';

export function NotFoundPage() {
  return (
    <main className={styles.lost}>
      <FallenTile />
      <div className={styles.words}>
        <PageHeading title={`${texts.notFoundCode} ${texts.notFound}`} className={styles.heading}>
          <span className={styles.code}>{texts.notFoundCode}</span> <span>{texts.notFound}</span>
        </PageHeading>
        <ButtonLink href="/" variant="primary" size="large">
          {texts.goHome}
        </ButtonLink>
      </div>
    </main>
  );
}
