import { useEffect, useId, useRef, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import arrow from '#console/ui/Arrow.module.css';
import { Button } from '#console/ui/Button.tsx';
import { MomentField } from '#console/ui/fields/MomentField.tsx';
import { isTooLong, TooLong } from '#console/ui/form/TooLong.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import type { LogEntry } from '#contract/log.ts';
import { listMembers } from '#contract/team.ts';
import { filterNames, isFiltered, otherTime } from './auditQuestion.ts';
import css from './logs.module.css';
import type { LogWords } from './logWords.ts';

const control = `${bar.control} ${css.control}`;
const withArrow = `${control} ${arrow.arrow}`;

const debounceMs = 500;

interface LogFiltersProps {
  /** The project whose team is among the actors; absent: the log is not about what the team does. */
  teamOf?: string | undefined;
  /** The entries on screen, whose actors and actions are offered. */
  entries: readonly LogEntry[];
  words: LogWords;
}

/** The filters of a log. They apply to the whole log: they are in the address, and the server answers. */
export function LogFilters({ teamOf, entries, words }: LogFiltersProps) {
  const [url, change] = useUrlState();
  const set = (name: string) => (value: string) => change({ [name]: value, pages: undefined });
  const actions = [...new Set(entries.map(({ action }) => action))].toSorted();
  const nothing = Object.fromEntries(filterNames.map(name => [name, undefined]));
  return (
    <>
      <Typed label="Search the log" placeholder="Search…" name="text" max={200} shortcut />
      <Typed {...words.action} name="action" max={100} options={actions} />
      <ActorSelect
        label={words.actor}
        {...{ teamOf, entries }}
        chosen={url.who ?? ''}
        onChange={set('who')}
      />
      {url.view === otherTime.value && (
        <>
          <MomentField label="From" className={css.time} value={url.from} onChange={set('from')} />
          <MomentField label="To" className={css.time} value={url.to} onChange={set('to')} />
        </>
      )}
      {isFiltered(url) && (
        <Button variant="quiet" onClick={() => change({ ...nothing, pages: undefined })}>
          Clear
        </Button>
      )}
    </>
  );
}

interface TypedProps {
  label: string;
  placeholder: string;
  /** The name in the address. */
  name: string;
  max: number;
  options?: readonly string[];
  shortcut?: boolean;
}

/** Applies the text a moment after the last keystroke, or on Enter. */
function Typed({ label, placeholder, name, max, options, shortcut = false }: TypedProps) {
  const [url, change] = useUrlState();
  const asked = url[name] ?? '';
  const [typed, setTyped] = useState(asked);
  const id = useId();
  const tooLong = isTooLong(typed, max);
  const field = useRef<HTMLInputElement>(null);
  useActions(shortcut ? [{ label, keys: '/', run: () => field.current?.select() }] : []);
  // After "Clear" or Back.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(asked);
  }, [asked]);
  useEffect(() => {
    if (typed === asked || tooLong) return;
    const timer = setTimeout(
      () => change({ [name]: typed, pages: undefined }, { replace: true }),
      debounceMs,
    );
    return () => clearTimeout(timer);
  }, [typed, asked, tooLong, name, change]);
  return (
    <>
      <input
        ref={field}
        className={options ? withArrow : control}
        aria-label={label}
        placeholder={placeholder}
        aria-invalid={tooLong || undefined}
        aria-describedby={tooLong ? id : undefined}
        list={options ? `${name}Options` : undefined}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && !tooLong) change({ [name]: typed, pages: undefined });
          if (event.key === 'Escape') setTyped('');
        }}
      />
      <TooLong id={id} value={typed} max={max} />
      {options && <Options id={`${name}Options`} options={options} />}
    </>
  );
}

function Options({ id, options }: { id: string; options: readonly string[] }) {
  return (
    <datalist id={id}>
      {options.map(option => (
        <option key={option} value={option} />
      ))}
    </datalist>
  );
}

interface ActorSelectProps extends Omit<LogFiltersProps, 'words'> {
  label: string;
  chosen: string;
  onChange: (id: string) => void;
}

/** The team, and everyone else who appears in the entries on screen. */
function ActorSelect({ label, teamOf, entries, chosen, onChange }: ActorSelectProps) {
  const { data } = useRead(
    listMembers,
    { params: { projectId: teamOf ?? '' } },
    { enabled: teamOf !== undefined },
  );
  const names = new Map<string, string>();
  for (const { developerId, name, email } of data ?? []) names.set(developerId, name || email);
  for (const { actor } of entries)
    if (!names.has(actor.id)) names.set(actor.id, actor.displayName || actor.callerType);
  if (chosen && !names.has(chosen)) names.set(chosen, chosen);
  return (
    <select
      className={withArrow}
      aria-label={label}
      value={chosen}
      onChange={event => onChange(event.target.value)}
    >
      <option value="">Anyone</option>
      {[...names].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
