import { type KeyboardEvent, useRef } from 'react';
import type { Code } from '../../image/embed-codes.ts';
import { focusFirstOnMount } from '../../lib/focus.ts';
import { preview, selection } from '../../text/words.ts';
import styles from './format-menu.module.css';
import { moveFocus } from './move-focus.ts';

const KINDS: readonly Code['kind'][] = ['link', 'markdown', 'html', 'bbcode'];

const STEPS = { ArrowUp: -1, ArrowDown: 1 };

interface FormatMenuProps {
  /** for the `popoverTarget` of the button that opens it */
  id: string;
  onChoose: (kind: Code['kind']) => void;
  onReplace: () => void;
}

/** A menu of what can be done with links: copying them in a markup, and replacing them. */
export function FormatMenu({ id, onChoose, onReplace }: FormatMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') menu.current?.hidePopover();
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    if (moveFocus(event, items, STEPS)) event.stopPropagation();
  };
  const item = (text: string, choose: () => void) => (
    <button
      key={text}
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        menu.current?.hidePopover();
        choose();
      }}
    >
      {text}
    </button>
  );
  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={preview.copyAs}
      className={styles.menu}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => newState === 'open' && focusFirstOnMount(menu.current)}
    >
      {KINDS.map((kind) => item(preview.codes[kind], () => onChoose(kind)))}
      <hr className={styles.divider} />
      {item(selection.replaceLinks, onReplace)}
    </div>
  );
}
