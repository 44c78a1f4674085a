import { ImageOff } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { WaitingImage, WaitingPage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { waitingPictureQuery } from '../image/card/waiting-picture.tsx';
import { focusOrHeading } from '../lib/focus.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { LinkList } from '../my-links/link-list.tsx';
import { useQuery } from '../query/use-query.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { Choice } from './choice.tsx';
import { collectLinksQuery, decide, waitingQuery } from './collect-links.ts';
import { type Decision, reportOf } from './decision-report.ts';
import styles from './waiting-images.module.css';

const WaitingDialog = lazyPart(async () => ({ default: (await import('./waiting-dialog.tsx')).WaitingDialog }));

function Thumbnail({ id }: { id: string }) {
  const { data: url, error } = useQuery(waitingPictureQuery(id, 'thumbnail'));
  if (url !== undefined) return <img className={styles.picture} src={url} alt="" />;
  if (error === undefined) return <span className={styles.picture} />;
  return (
    <span className={styles.picture} data-failed>
      <ImageOff aria-hidden="true" />
      <span>{texts.collect.wait.noThumbnail}</span>
    </span>
  );
}

interface TileProps {
  image: WaitingImage;
  /** The name of the link that it came by. */
  link: string | undefined;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onOpen: () => void;
}

function Tile({ image: { id, filename, guest }, link, isChosen, onChoose, onOpen }: TileProps) {
  const { wait } = texts.collect;
  return (
    <li className={styles.tile}>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
        <span className="visually-hidden">{wait.view(filename)}</span>
        <Thumbnail id={id} />
      </button>
      <Choice filename={filename} isChosen={isChosen} onChoose={onChoose}>
        <bdi className="ellipsis">{filename}</bdi>
      </Choice>
      {guest === null ? null : <span className="ellipsis">{wait.from(guest)}</span>}
      {link === undefined ? null : <span className="ellipsis">{wait.by(link)}</span>}
    </li>
  );
}

/** Admits the images, or refuses them after a question. @param section gets the focus, since the buttons may be gone */
async function carryOut(decision: Decision, images: WaitingImage[], section: HTMLElement | null): Promise<void> {
  const { wait } = texts.collect;
  const { title, text } = wait.confirmRefuse;
  const count = images.length;
  const question = { title: title(count), text: text(count), confirm: wait.refuse(count), cancel: texts.cancel };
  if (decision === 'refuse' && !(await confirm(question, texts.failed))) return;
  try {
    const ids = images.map(({ id }) => id);
    const { isError, text, reason } = reportOf(decision, images, await decide(decision, ids));
    (isError ? showError : showSuccess)(text, reason);
    focusOrHeading(section);
  } catch (error) {
    showError(texts.failed, reasonOf(error));
  }
}

/** The chosen images, or all of them. */
function Decisions({ page: { images, total } }: { page: WaitingPage }) {
  const { wait } = texts.collect;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState<string>();
  const [busy, start] = useBusy();
  const marked = images.filter(({ id }) => chosen.has(id));
  const opened = images.find(({ id }) => id === openId);
  const { data: links } = useQuery(collectLinksQuery, true);
  const linkOf = ({ collect_link: id }: WaitingImage) => links?.find((link) => link.id === id)?.name;

  const choose = (id: string, isChosen: boolean): void => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const decideFrom = (decision: Decision, button: HTMLElement): void =>
    void start(() => carryOut(decision, marked, button.closest('section')));
  const isAll = marked.length === images.length;
  return (
    <>
      <p className={styles.bar}>
        <label className={styles.all}>
          <input
            type="checkbox"
            checked={isAll}
            onChange={() => setChosen(new Set(isAll ? [] : images.map(({ id }) => id)))}
          />
          {wait.all}
        </label>
      </p>
      <ul className={styles.grid} aria-busy={busy}>
        {images.map((image) => (
          <Tile
            key={image.id}
            image={image}
            link={linkOf(image)}
            isChosen={chosen.has(image.id)}
            onChoose={(isChosen) => choose(image.id, isChosen)}
            onOpen={() => setOpenId(image.id)}
          />
        ))}
      </ul>
      {total > images.length ? <p className={styles.more}>{wait.more(total - images.length)}</p> : null}
      {marked.length === 0 ? null : (
        <div className={`${styles.bar} ${styles.decide}`}>
          <Button variant="line" busy={busy} onClick={({ currentTarget }) => decideFrom('admit', currentTarget)}>
            {wait.admit(marked.length)}
          </Button>
          <Button
            variant="ghost"
            className={styles.refuse}
            busy={busy}
            onClick={({ currentTarget }) => decideFrom('refuse', currentTarget)}
          >
            {wait.refuse(marked.length)}
          </Button>
        </div>
      )}
      <Suspense>
        {opened === undefined ? null : (
          <WaitingDialog
            image={opened}
            link={linkOf(opened)}
            isChosen={chosen.has(opened.id)}
            onChoose={(isChosen) => choose(opened.id, isChosen)}
            onClose={() => setOpenId(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The images of guests that the owner has to decide about. */
export function WaitingImages() {
  const { wait } = texts.collect;
  return (
    <LinkList
      title={wait.heading}
      about={wait.about}
      empty={wait.empty}
      failed={wait.loadFailed}
      query={waitingQuery}
      rows={(page) =>
        page.images.length === 0
          ? []
          : [
              <li key="images">
                <Decisions page={page} />
              </li>,
            ]
      }
    />
  );
}
