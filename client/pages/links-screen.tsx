import type { Image } from '../../server/contract.ts';
import { albumListQuery } from '../albums/album-pages.ts';
import { listExpiring } from '../api/links.ts';
import { collectLinksQuery } from '../collect/collect-links.ts';
import { WaitingImages } from '../collect/waiting-images.tsx';
import { formatAddress } from '../gallery/address.ts';
import { describeEnd } from '../image/expiry/time-left.ts';
import { useTimeLeft } from '../image/expiry/use-time-left.ts';
import { stableLinksQuery } from '../image/links/stable-links.ts';
import { sharesQuery } from '../image/shares/shares.ts';
import { AlbumLinkRow } from '../my-links/album-link-row.tsx';
import { CollectRow } from '../my-links/collect-row.tsx';
import { LinkList } from '../my-links/link-list.tsx';
import { CopyLink, LinkRow } from '../my-links/link-row.tsx';
import styles from '../my-links/my-links.module.css';
import { ShareRow } from '../my-links/share-row.tsx';
import { StableLinkRow } from '../my-links/stable-link-row.tsx';
import { imagesKey } from '../query/keys.ts';
import { useQuery } from '../query/use-query.ts';
import { albumsPath, galleryPath } from '../routes.ts';
import { albums, preview, links as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';

/** Invalidated with the images. */
const expiringQuery = { key: [...imagesKey, 'expiring'], load: listExpiring };

function ExpiringRow({ image, end }: { image: Image; end: string }) {
  const left = useTimeLeft(end);
  const address = formatAddress({ page: 1, search: image.filename });
  return (
    <LinkRow
      picture={image.hidden || left === 0 ? undefined : image}
      title={<bdi>{image.filename}</bdi>}
      note={<time dateTime={end}>{left === 0 ? preview.expiry.expired : describeEnd(end, left).full}</time>}
    >
      <CopyLink name={image.filename} url={image.url} />
      <ButtonLink variant="ghost" href={`${galleryPath}${address}`}>
        {texts.expiring.show}
      </ButtonLink>
    </LinkRow>
  );
}

/** The lists of the page "My links". */
export function LinksScreen() {
  const { collect, shares, stable, shared, expiring } = texts;
  const { data: albumList } = useQuery(albumListQuery, true);
  const linkOf = (id: string | null) => albumList?.find((album) => album.id === id)?.link ?? null;
  const toGallery = (
    <ButtonLink variant="line" href={galleryPath}>
      {albums.toGallery}
    </ButtonLink>
  );
  return (
    <div className={styles.sections}>
      <LinkList
        title={shares.heading}
        about={shares.about}
        empty={shares.empty}
        fill={toGallery}
        failed={shares.loadFailed}
        query={sharesQuery}
        rows={(list) => list.map((share) => <ShareRow key={share.id} share={share} albumLink={linkOf(share.album)} />)}
      />
      <LinkList
        title={collect.heading}
        about={collect.about}
        empty={collect.empty}
        fill={
          <ButtonLink variant="line" href={albumsPath}>
            {albums.title}
          </ButtonLink>
        }
        failed={collect.loadFailed}
        query={collectLinksQuery}
        rows={(list) =>
          list.map((link) => (
            <CollectRow key={link.id} link={link} album={albumList?.find(({ id }) => id === link.album)} />
          ))
        }
      />
      <WaitingImages />
      <LinkList
        title={stable.title}
        about={stable.about}
        empty={stable.empty}
        fill={toGallery}
        failed={stable.loadFailed}
        query={stableLinksQuery}
        rows={(list) => list.map((link) => <StableLinkRow key={link.id} link={link} />)}
      />
      <LinkList
        title={shared.title}
        about={shared.about}
        empty={shared.empty}
        failed={albums.loadFailed}
        query={albumListQuery}
        rows={(list) =>
          list.flatMap((album) =>
            album.link === null ? [] : <AlbumLinkRow key={album.id} album={album} url={album.link} />,
          )
        }
      />
      <LinkList
        title={expiring.title}
        about={expiring.about}
        empty={expiring.empty}
        failed={expiring.loadFailed}
        query={expiringQuery}
        rows={({ images }) =>
          images.flatMap((image) =>
            image.expires_at === null ? [] : <ExpiringRow key={image.id} image={image} end={image.expires_at} />,
          )
        }
        foot={({ images, total }) => (total > images.length ? <p>{expiring.more(total - images.length)}</p> : null)}
      />
    </div>
  );
}
