import { MapPin, MapPinOff } from 'lucide-react';
import { type MouseEvent, Suspense } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { fetchOriginal, originalUrl } from '../../api/images.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { saveBytes } from '../../lib/save-bytes.ts';
import '../../session/copied-links.ts';
import { singleKeys } from '../../session/single-keys.ts';
import { withWords } from '../../text/language.ts';
import { sharingWords } from '../../text/sharing-words.ts';
import { preview } from '../../text/words.ts';
import { showError } from '../../ui/toasts/toast.ts';
import { DetailsEditor } from '../details/details-editor.tsx';
import { ExpiryEditor } from '../expiry/expiry-editor.tsx';
import { useIsExpired } from '../expiry/use-time-left.ts';
import { savedName, sendsLogin } from './download/download.ts';
import { DownloadLink, type DownloadLook } from './download/download-link.tsx';
import styles from './owner-preview.module.css';
import { Preview, type PreviewDeletion } from './preview.tsx';
import type { PreviewParts } from './preview-parts.ts';
import { type Place, useAdjacentPages } from './steps/use-adjacent-pages.ts';

const loadLinks = () => withWords([sharingWords], import('../links/link-section.tsx'));
const LinkSection = lazyPart(async () => ({ default: (await loadLinks()).LinkSection }));

/** Downloads the untouched original, for its owner. */
function Download({ image, look }: { image: Image; look: DownloadLook }) {
  const url = originalUrl(image.id);
  const isExpired = useIsExpired(image);
  const save = (event: MouseEvent): void => {
    if (sendsLogin(url, image.url)) return;
    event.preventDefault();
    fetchOriginal(image.id)
      .then((bytes) => saveBytes(bytes, savedName(image)))
      .catch((error) => showError(preview.downloadFailed, reasonOf(error)));
  };
  if (isExpired) return null;
  return <DownloadLink href={url} filename={savedName(image)} look={look} onClick={save} />;
}

/** Explains what happens to the location in the photograph's metadata, if the file contains one. */
function LocationNote({ image }: { image: Image }) {
  const { location } = image;
  if (location === 'none' || image.hidden) return null;
  return (
    <div className={styles.note}>
      {location === 'kept' ? <MapPin /> : <MapPinOff />}
      <p>{preview.location[location]}</p>
      {location === 'kept' ? null : <Download image={image} look="text" />}
    </div>
  );
}

function Details({ image }: { image: Image }) {
  const isExpired = useIsExpired(image);
  if (isExpired) return <ExpiryEditor image={image} />;
  return (
    <>
      <ExpiryEditor image={image} />
      <DetailsEditor image={image} />
      <Suspense>
        <LinkSection key={image.id} image={image} />
      </Suspense>
      <LocationNote image={image} />
    </>
  );
}

const parts: PreviewParts = { Download, Details, ignoresKey: singleKeys.ignores };

interface OwnerPreviewProps extends Place {
  /** Undefined where images are not deleted. */
  deletion?: PreviewDeletion;
  onClose: () => void;
}

/** The overlay for the owner of the images. */
export function OwnerPreview({ deletion, onClose, ...place }: OwnerPreviewProps) {
  const { page, kept, id, onShow } = place;
  const adjacent = useAdjacentPages(place);
  return (
    <Preview
      parts={parts}
      page={page}
      kept={kept}
      id={id}
      adjacent={adjacent}
      deletion={deletion}
      onShow={onShow}
      onClose={onClose}
    />
  );
}
