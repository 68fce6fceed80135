import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { actions } from '#console/core/actions.ts';
import { useStore } from '#console/core/store.ts';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { SearchIcon } from '#console/ui/icons/icons.tsx';
import { closeOverlay, takeTyped } from './overlay.ts';
import css from './Palette.module.css';
import { type Choice, useFound } from './useFound.ts';
import { useTabPlaces } from './useTabPlaces.ts';

const groupWords = { screen: 'This screen', go: 'Go to', frame: 'Console' } as const;

/** Finds everything that can be done or opened from here by a part of its name. */
export default function Palette() {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { choices, isSearching } = useChoices(typed);
  const [isWanted, setWanted] = useState(false);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = choices[Math.min(at, choices.length - 1)];

  // The field has the focus now, so further keys go to it directly.
  useLayoutEffect(() => setTyped(takeTyped()), []);
  useEffect(() => {
    const chosen = list.current?.querySelector(`[data-choice="${CSS.escape(current?.id ?? '')}"]`);
    chosen?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  // Enter was pressed before the search had found anything.
  useChosen(isWanted && !isSearching ? current : undefined);

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // The results still belong to the previous text.
      if (isSearching && !current?.isOffered) setWanted(true);
      else choose(current);
    }
  }

  return (
    <Dialog title="Search or jump to" shape="palette" bare onClose={closeOverlay}>
      <PaletteField
        listId={listId}
        current={current}
        typed={typed}
        onType={text => {
          setTyped(text);
          setAt(0);
          setWanted(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className={css.list}>
        <Choices choices={choices} current={current} listId={listId} onPoint={setAt} onChoose={choose} />
      </div>
      {choices.length === 0 && (
        <p className={css.none} role="status">
          {isSearching ? 'Searching…' : 'No results.'}
        </p>
      )}
    </Dialog>
  );
}

function choose(choice: Choice | undefined): void {
  if (!choice) return;
  // Close first: closing a dialog restores the focus, which the chosen action may want to move.
  flushSync(closeOverlay);
  choice.run();
}

/** Chooses the result once it has been found. */
function useChosen(sought: Choice | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies it
  useEffect(() => {
    if (sought) queueMicrotask(() => choose(sought));
  }, [sought?.id]);
}

interface PaletteFieldProps {
  listId: string;
  current: Choice | undefined;
  typed: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function PaletteField({ listId, current, typed, onType, onKeyDown }: PaletteFieldProps) {
  return (
    <div className={css.field}>
      <SearchIcon size={18} />
      <input
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current && `${listId}${current.id}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Screen, device, project, action…"
        value={typed}
        onChange={event => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>Esc</kbd>
    </div>
  );
}

interface ChoicesProps {
  choices: readonly Choice[];
  current: Choice | undefined;
  listId: string;
  onPoint: (at: number) => void;
  onChoose: (choice: Choice) => void;
}

function Choices({ choices, current, listId, onPoint, onChoose }: ChoicesProps) {
  return [...Map.groupBy(choices, ({ group }) => group)].map(([group, members]) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed inside a listbox
    <div key={group} role="group" aria-label={group}>
      <div className={css.group} aria-hidden="true">
        {group}
      </div>
      {members.map(choice => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
        <div
          key={choice.id}
          id={`${listId}${choice.id}`}
          data-choice={choice.id}
          role="option"
          tabIndex={-1}
          aria-selected={choice === current}
          className={css.choice}
          onMouseMove={() => onPoint(choices.indexOf(choice))}
          onClick={() => onChoose(choice)}
        >
          <span>{choice.label}</span>
          {choice.keys?.split(' ').map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
        </div>
      ))}
    </div>
  ));
}

/** The matches: every typed word occurs in the label, in any order; then the results of the server's search. */
function useChoices(typed: string): { choices: Choice[]; isSearching: boolean } {
  const offered = useStore(actions);
  const { found, isSearching } = useFound(typed.trim());
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const actionChoices = offered.map((action, at) => ({
    ...action,
    id: `action${at}`,
    isOffered: true,
    group: groupWords[action.group ?? 'screen'],
    label: action.group === 'go' ? action.label.replace(/^Go to /, '') : action.label,
  }));
  const named = [...actionChoices, ...useTabPlaces(typed.trim())];
  const fits = (text: string) => words.every(word => text.toLowerCase().includes(word));
  const byName = named.filter(({ label, group }) => fits(`${group} ${label}`));
  const byContent = named.filter(({ label, also = '' }) => fits(`${label} ${also}`));
  const matching = [...new Set([...byName, ...byContent])];
  const order = [groupWords.screen, groupWords.go];
  const first = matching.filter(({ group }) => order.includes(group as never));
  const choices = [
    ...first.toSorted((a, b) => order.indexOf(a.group as never) - order.indexOf(b.group as never)),
    ...found,
    ...matching.filter(choice => !first.includes(choice)),
  ];
  return { choices, isSearching };
}
