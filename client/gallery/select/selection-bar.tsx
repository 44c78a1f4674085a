import { Download, Link2, ListChecks, type LucideIcon, Share2, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, Suspense, useId, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import type { Code } from '../../image/embed-codes.ts';
import { ShareDialog } from '../../image/shares/lazy-dialogs.ts';
import type { LaterComponent } from '../../lib/component.ts';
import { copyText } from '../../lib/copy-text.ts';
import { withWords } from '../../text/language.ts';
import { sharingWords } from '../../text/sharing-words.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { download, linesOf, MOST_IN_ARCHIVE } from './bulk.ts';
import { FormatMenu } from './format-menu.tsx';
import { moveFocus } from './move-focus.ts';
import styles from './selection-bar.module.css';

/** A roving tabindex: the toolbar is one Tab stop; arrows, Home and End move between its buttons. */
function useRoving(bar: RefObject<HTMLDivElement | null>) {
  const stop = useRef<HTMLElement>(undefined);
  const move = (to: HTMLElement): void => {
    if (stop.current) stop.current.tabIndex = -1;
    stop.current = to;
    to.tabIndex = 0;
  };
  return {
    onFocus({ target }: { target: EventTarget }) {
      if (target instanceof HTMLElement && target.parentElement === bar.current) move(target);
    },
    onKeyDown(event: KeyboardEvent) {
      const buttons = [...(bar.current?.querySelectorAll<HTMLElement>(':scope > button') ?? [])];
      const next = document.dir === 'rtl' ? -1 : 1;
      moveFocus(event, buttons, { ArrowLeft: -next, ArrowRight: next });
    },
  };
}

interface ToolProps {
  icon: LucideIcon;
  word: string;
  first?: boolean;
  danger?: boolean;
  off?: boolean;
  menu?: string;
  onPress?: () => void;
}

function Tool({ icon: Icon, word, first = false, danger = false, off = false, menu, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      tabIndex={first ? 0 : -1}
      aria-disabled={off || undefined}
      data-danger={danger || undefined}
      title={word}
      {...(menu === undefined || off ? {} : { popoverTarget: menu })}
      aria-haspopup={menu === undefined ? undefined : 'menu'}
      onClick={off ? undefined : onPress}
    >
      <Icon />
      <span>{word}</span>
    </button>
  );
}

/** A tool from another folder, styled as a button of the bar. */
export type FurtherTool = LaterComponent<{ ids: readonly string[]; className?: string }>;

export interface SelectionBarProps {
  images: readonly Image[];
  further: FurtherTool;
  /** Whether the images are being deleted. */
  busy: boolean;
  /** The word of the button that removes the images, if they are not deleted. */
  removeWord?: string;
  onAll: () => void;
  onDelete: () => void;
  onLeave: () => void;
}

/** Actions for the selected images. */
export function SelectionBar({ images, further: Further, busy, removeWord, ...on }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const menu = useId();
  const [sharing, setSharing] = useState<readonly Image[]>();
  const roving = useRoving(bar);
  const words = selection;
  const none = images.length === 0;
  const copy = async (kind: Code['kind']): Promise<void> => {
    const done = await copyText(linesOf(images, kind), document.body);
    if (done) showSuccess(words.copied(images.length));
    else showError(words.copyRefused);
  };
  const save = (): void => {
    if (images.length > MOST_IN_ARCHIVE) showError(preview.downloadFailed, words.tooMany(MOST_IN_ARCHIVE));
    else download(images).catch((error) => showError(preview.downloadFailed, reasonOf(error)));
  };
  const replace = (): void => {
    withWords([sharingWords], import('../../image/links/ask-to-replace.ts'))
      .then(({ askToReplace }) => askToReplace(images.map(({ id }) => id)))
      .catch(() => showError(words.replaceFailed));
  };
  return (
    <>
      <div className={styles.dock}>
        <div ref={bar} className={styles.bar} role="toolbar" aria-label={words.bar} {...roving}>
          <strong className="num" role="status">
            {words.count(images.length)}
          </strong>
          <Tool first icon={ListChecks} word={words.all} onPress={on.onAll} />
          <Tool icon={Link2} word={words.copy} off={none} menu={menu} />
          <Tool icon={Share2} word={words.share} off={none} onPress={() => setSharing(images)} />
          <Tool icon={Download} word={preview.download} off={none} onPress={save} />
          <Further ids={images.map(({ id }) => id)} className={styles.tool} />
          <Tool
            icon={Trash2}
            word={busy ? texts.card.removing : (removeWord ?? texts.card.remove)}
            off={none || busy}
            danger={!none && !busy}
            onPress={on.onDelete}
          />
          <Tool icon={X} word={preview.confirm.no} onPress={on.onLeave} />
          <FormatMenu id={menu} onChoose={(kind) => void copy(kind)} onReplace={replace} />
        </div>
      </div>
      <Suspense>
        {sharing ? <ShareDialog subject={{ images: sharing }} onClose={() => setSharing(undefined)} /> : null}
      </Suspense>
    </>
  );
}
