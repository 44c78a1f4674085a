import { useEffect, useState } from 'react';
import type { WaitingImage, WaitingPage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { waitingThumbnail } from '../api/collect-links.ts';
import { focusOrHeading } from '../lib/focus.ts';
import { useBusy } from '../lib/use-busy.ts';
import { LinkList } from '../my-links/link-list.tsx';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.ts';
import { showError, showSuccess } from '../ui/toast.ts';
import { decide, waitingQuery } from './collect-links.ts';
import styles from './waiting-images.module.css';

/** @returns the URL of its thumbnail, undefined until it has loaded */
function useThumbnail(id: string): string | undefined {
  const [url, setUrl] = useState<string>();
  // An <img> cannot send the login.
  useEffect(() => {
    let made: string | undefined;
    let isOver = false;
    waitingThumbnail(id).then(
      (bytes) => {
        if (isOver) return;
        made = URL.createObjectURL(bytes);
        setUrl(made);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id]);
  return url;
}

interface TileProps {
  image: WaitingImage;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function Tile({ image: { id, filename, guest }, isChosen, onChoose }: TileProps) {
  const { wait } = texts.collect;
  const url = useThumbnail(id);
  return (
    <li>
      <label className={styles.tile}>
        {url === undefined ? <span className={styles.picture} /> : <img className={styles.picture} src={url} alt="" />}
        <span className={styles.name}>
          <input
            type="checkbox"
            checked={isChosen}
            aria-label={wait.select(filename)}
            onChange={({ target }) => onChoose(target.checked)}
          />
          <bdi className="ellipsis">{filename}</bdi>
        </span>
        {guest === null ? null : <span className="ellipsis">{wait.from(guest)}</span>}
      </label>
    </li>
  );
}

/** The chosen images, or all of them. */
function Decision({ page: { images, total } }: { page: WaitingPage }) {
  const { wait } = texts.collect;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [busy, start] = useBusy();
  const ids = images.map(({ id }) => id).filter((id) => chosen.has(id));

  const choose = (id: string, isChosen: boolean): void => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  async function carryOut(decision: 'admit' | 'refuse', section: HTMLElement | null): Promise<void> {
    const { title, text, yes } = wait.confirmRefuse;
    const question = { title, text: text(ids.length), confirm: yes, cancel: texts.cancel };
    if (decision === 'refuse' && !(await confirm(question, texts.failed))) return;
    try {
      const { decided, unknown } = await decide(decision, ids);
      const words = decision === 'admit' ? wait.admitted : wait.refused;
      if (decided.length > 0) showSuccess(words(decided.length));
      else showError(texts.failed, wait.gone(unknown.length));
      focusOrHeading(section);
    } catch (error) {
      showError(texts.failed, reasonOf(error));
    }
  }
  const isAll = ids.length === images.length;
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
            isChosen={chosen.has(image.id)}
            onChoose={(isChosen) => choose(image.id, isChosen)}
          />
        ))}
      </ul>
      {total > images.length ? <p className={styles.more}>{wait.more(total - images.length)}</p> : null}
      {ids.length === 0 ? null : (
        <div className={styles.bar}>
          <Button
            variant="line"
            busy={busy}
            onClick={({ currentTarget }) => void start(() => carryOut('admit', currentTarget.closest('section')))}
          >
            {wait.admit(ids.length)}
          </Button>
          <Button
            variant="ghost"
            className={styles.refuse}
            busy={busy}
            onClick={({ currentTarget }) => void start(() => carryOut('refuse', currentTarget.closest('section')))}
          >
            {wait.refuse(ids.length)}
          </Button>
        </div>
      )}
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
                <Decision page={page} />
              </li>,
            ]
      }
    />
  );
}
