import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLatest } from '../lib/hooks/use-latest.ts';
import { isCovered, isField, isSingleKey } from '../lib/keyboard.ts';
import { singleKeys } from '../session/single-keys.ts';
import { gallery as texts } from '../text/words.ts';
import { Field } from '../ui/fields/field.tsx';
import styles from './search-box.module.css';

const PAUSE_MS = 250;

interface SearchBoxProps {
  /** The search in the URL. */
  search: string;
  onSearch: (search: string) => void;
}

/** The search field. `/` focuses it, Esc clears it. Typing is reported after a pause of 250 ms. */
export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const [told, setTold] = useState(search);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useLatest(onSearch);
  if (search !== told) {
    setTold(search);
    // Back and Forward change the search under the box; its own change is already in it.
    if (search !== text.trim()) setText(search);
  }

  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || !isSingleKey(event) || singleKeys.ignores(event)) return;
      if (event.defaultPrevented || isField(event.target) || isCovered()) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => {
      document.removeEventListener('keydown', focus);
      clearTimeout(timer.current);
    };
  }, []);

  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(timer.current);
    const wanted = typed.trim();
    if (wanted === search) return;
    timer.current = setTimeout(() => {
      // Back may have changed the field meanwhile.
      if (field.current?.value.trim() === wanted) latest.current(wanted);
    }, PAUSE_MS);
  };
  const clear = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || text === '') return;
    event.preventDefault();
    type('');
  };

  return (
    <search className={styles.search}>
      <Field
        ref={field}
        label={texts.search}
        hideLabel
        placeholder={texts.search}
        type="search"
        height="small"
        autoComplete="off"
        enterKeyHint="search"
        icon={<Search />}
        end={text === '' ? <kbd>/</kbd> : null}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={clear}
      />
    </search>
  );
}
