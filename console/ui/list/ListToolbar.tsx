import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { Button } from '#console/ui/Button.tsx';
import { isTooLong, TooLong } from '#console/ui/form/TooLong.tsx';
import { SearchIcon } from '#console/ui/icons/icons.tsx';
import { searchMax } from '#contract/paging.ts';
import { ChipSelect, ChipText } from './ChipField.tsx';
import { Chips } from './Chips.tsx';
import css from './ListScreen.module.css';
import type { Filter } from './ListScreen.tsx';
import type { ListState } from './useListState.ts';

const debounceMs = 500;

interface ListToolbarProps {
  list: Pick<ListState, 'search' | 'searchFor'> & Partial<Pick<ListState, 'chosen' | 'choose'>>;
  searchHint: string | undefined;
  filters?: readonly Filter[];
  /** At the end of the line: how the rows are shown. */
  end?: ReactNode;
}

export function ListToolbar({ list, searchHint, filters = [], end }: ListToolbarProps) {
  const control = (filter: Filter) => (
    <FilterControl
      key={filter.id}
      filter={filter}
      chosen={list.chosen?.[filter.id] ?? []}
      onChange={values => list.choose?.(filter.id, values)}
    />
  );
  const [showsRare, setShowsRare] = useState(false);
  const chips = filters.filter(filter => filter.chips);
  const rare = filters.filter(({ isRare, id }) => isRare && !list.chosen?.[id]?.length);
  const shown = filters.filter(filter => !filter.chips && (showsRare || !rare.includes(filter)));
  if (searchHint === undefined && filters.length === 0) return null;
  return (
    <div className={css.toolbar}>
      {chips.length > 0 && <div className={css.filters}>{chips.map(control)}</div>}
      <div
        className={css.narrowing}
        data-place={chips.length === 0 ? undefined : shown.some(({ isRare }) => isRare) ? 'below' : 'end'}
      >
        {searchHint !== undefined && <Search list={list} hint={searchHint} />}
        <div className={css.filters}>
          {shown.map(control)}
          {rare.length > 0 && (
            <Button
              variant="quiet"
              aria-label={showsRare ? 'Fewer filters' : 'More filters'}
              aria-expanded={showsRare}
              onClick={() => setShowsRare(!showsRare)}
            >
              {showsRare ? 'Fewer' : 'More'}
            </Button>
          )}
        </div>
        {end}
      </div>
    </div>
  );
}

interface FilterControlProps {
  filter: Filter;
  chosen: string[];
  onChange: (values: string[]) => void;
}

function FilterControl({ filter, chosen, onChange }: FilterControlProps) {
  const { label, chips, options, noneLabel, single = false } = filter;
  if (chips) return <Chips label={label} chips={chips} single={single} chosen={chosen} onChange={onChange} />;
  const one = { label, chosen: chosen[0], onChange: (value?: string) => onChange(value ? [value] : []) };
  if (!options) return <ChipText {...one} />;
  return <ChipSelect {...one} options={options} {...(noneLabel && { noneLabel })} />;
}

function Search({ list, hint }: { list: ListToolbarProps['list']; hint: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { typed, setTyped, type, send } = useTypedSearch(list);
  useActions([{ label: 'Search this list', keys: '/', run: () => field.current?.select() }]);
  const tooLong = isTooLong(typed, searchMax);
  return (
    <search className={css.search}>
      <SearchIcon />
      <input
        ref={field}
        type="search"
        aria-label="Search this list"
        placeholder={hint}
        aria-invalid={tooLong || undefined}
        aria-describedby={tooLong ? id : undefined}
        dir="auto"
        value={typed}
        onChange={event => type(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') send(typed);
          if (event.key !== 'Escape') return;
          if (typed) {
            setTyped('');
            send('');
          } else field.current?.blur();
        }}
      />
      <kbd>/</kbd>
      <span className={css.said}>
        <TooLong id={id} value={typed} max={searchMax} />
      </span>
    </search>
  );
}

/** Applies the typed text when typing pauses. */
function useTypedSearch(list: ListToolbarProps['list']) {
  const [typed, setTyped] = useState(list.search);
  const sent = useRef(list.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The address was changed elsewhere: by Back or "Clear search".
  useEffect(() => {
    if (list.search === sent.current) return;
    sent.current = list.search;
    setTyped(list.search);
  }, [list.search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function send(text: string) {
    clearTimeout(timer.current);
    if (isTooLong(text, searchMax)) return;
    sent.current = text.trim();
    list.searchFor(text.trim());
  }

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(text), debounceMs);
  }
  return { typed, setTyped, type, send };
}
