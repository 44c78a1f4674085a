import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isCovered, isField, isSingleKey } from '../lib/keyboard.ts';
import { singleKeys } from '../session/single-keys.ts';
import { gallery as texts } from '../text/words.ts';
import { Field } from '../ui/field.tsx';
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
  const told = useRef(search);
  const field = useRef<HTMLInputElement>(null);
  const tell = useRef(onSearch);
  tell.current = onSearch;

  useEffect(() => {
    // Back and Forward change the search under the box; ignore the box's own change.
    if (search === told.current) return;
    told.current = search;
    setText(search);
  }, [search]);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      tell.current(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || !isSingleKey(event) || singleKeys.ignores(event)) return;
      if (event.defaultPrevented || isField(event.target) || isCovered()) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  const clear = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || text === '') return;
    event.preventDefault();
    setText('');
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
        onChange={(event) => setText(event.target.value)}
        onKeyDown={clear}
      />
    </search>
  );
}
