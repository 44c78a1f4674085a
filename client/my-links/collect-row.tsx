import { ImagePlus } from 'lucide-react';
import type { Album, CollectLink } from '../../server/contract.ts';
import { removeCollectLink } from '../collect/collect-links.ts';
import { EditCollectDialog } from '../collect/lazy-dialogs.ts';
import { describeEnd } from '../image/expiry/time-left.ts';
import { useTimeLeft } from '../image/expiry/use-time-left.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { links as texts } from '../text/words.ts';
import { EditableRow } from './editable-row.tsx';
import styles from './my-links.module.css';

interface CollectRowProps {
  link: CollectLink;
  /** Undefined until the albums have loaded. */
  album: Pick<Album, 'name'> | undefined;
}

/** Its album, until when it is open, and what it has collected. */
function Note({ link, album }: CollectRowProps) {
  const { collect, shares } = texts;
  const { expires_at: end } = link;
  const left = useTimeLeft(end);
  return (
    <>
      {album === undefined || album.name === link.name ? null : <bdi>{album.name}</bdi>}
      {end === null || left === 0 ? null : <time dateTime={end}>{describeEnd(end, left).full}</time>}
      <span>{collect.files(link.files, link.max_files)}</span>
      <span>{collect.bytes(formatBytes(link.bytes), formatBytes(link.max_bytes))}</span>
      {link.waiting > 0 ? <strong>{collect.waiting(link.waiting)}</strong> : null}
      {link.protected ? <span>{shares.protected}</span> : null}
      {left === 0 ? <strong className={styles.state}>{shares.ended}</strong> : null}
    </>
  );
}

/** A collect link and all that its owner does with it. */
export function CollectRow({ link, album }: CollectRowProps) {
  const { collect } = texts;
  return (
    <EditableRow
      link={link}
      icon={<ImagePlus aria-hidden="true" />}
      note={<Note link={link} album={album} />}
      ending={collect.confirmEnd}
      ended={collect.endDone}
      onEnd={() => removeCollectLink(link.id)}
      editor={(close) => <EditCollectDialog link={link} onClose={close} />}
    />
  );
}
