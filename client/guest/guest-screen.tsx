import { type ReactNode, useState } from 'react';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { queries } from '../query/queries.ts';
import { useQuery } from '../query/use-query.ts';
import { links } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { PageHeading } from '../ui/page/page-heading.tsx';
import { LoadingLine } from '../ui/progress/loading-line.tsx';
import { useUpload } from '../upload/uploads.ts';
import { EntryForm } from './entry-form.tsx';
import styles from './guest.module.css';
import { GuestImages } from './guest-images.tsx';
import { GuestLayout } from './guest-layout.tsx';
import { imagesAt, linkAt } from './guest-queries.ts';
import { GuestUpload } from './guest-upload.tsx';

function Over({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={styles.over}>
      <PageHeading title={title} className={styles.title} />
      <p>{text}</p>
      {children}
    </div>
  );
}

/** The images that a guest added to a link that has ended. Nobody else sees this part. */
function OwnImages({ path }: { path: string }) {
  const texts = links.guest;
  const { data } = useQuery(imagesAt(path, 'images', 1));
  const [hadImages, setHadImages] = useState(false);
  if (!hadImages && data && data.images.length > 0) setHadImages(true);
  return hadImages ? <GuestImages path={path} which="images" title={texts.own} empty={texts.noneLeft} /> : null;
}

/** The link as it is: ended, locked, or open for pictures. */
function Link({ path }: { path: string }) {
  const texts = links.guest;
  const query = linkAt(path);
  const { data: link, error, fetching } = useQuery(query);
  const kept = useUpload((state) => state.files.length);
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 410) {
    return (
      <Over title={texts.ended} text={texts.endedText}>
        <OwnImages path={path} />
      </Over>
    );
  }
  if (status === 404) return <Over title={texts.unknown} text={texts.unknownText} />;
  if (link === undefined && error === undefined) return <LoadingLine at="window" />;
  if (link === undefined) {
    return (
      <LoadError
        size="page"
        text={kept > 0 ? texts.kept(kept) : texts.loadFailed}
        reason={reasonOf(error)}
        retry={links.retry}
        busy={fetching}
        onRetry={() => void queries.fetch(query)}
      />
    );
  }
  return (
    <>
      <PageHeading title={link.name} className={styles.title}>
        <bdi>{link.name}</bdi>
      </PageHeading>
      {link.is_guest && link.limits ? (
        <GuestUpload path={path} limits={link.limits} />
      ) : (
        <EntryForm path={path} link={link} />
      )}
    </>
  );
}

/** @param path of the link, from the API's base */
export function GuestScreen({ path }: { path: string }) {
  return (
    <GuestLayout>
      <Link path={path} />
    </GuestLayout>
  );
}
