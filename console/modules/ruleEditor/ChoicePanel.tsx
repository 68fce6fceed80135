import { Fragment, useEffect, useRef } from 'react';
import { SearchIcon } from '#console/ui/icons/icons.tsx';
import type { Choice } from './Choice.ts';
import css from './choices.module.css';
import type { Choosing } from './useChoosing.ts';

/** The choices of the field in focus, beside the sentence, so that nothing covers it. */
export function ChoicePanel({ choosing }: { choosing: Choosing }) {
  const { choices, shown, filter, find, listId, at, onKeyDown } = choosing;
  if (!choices) return null;
  if (choices.list.length === 0 && !choices.typed)
    return (
      <div className={css.choices}>
        <p className={css.nothing} id={listId}>
          <b>{choices.prompt}</b> {choices.hint}
        </p>
      </div>
    );
  return (
    <div className={css.choices}>
      <label className={css.find}>
        <SearchIcon size={14} />
        <input
          // Keys that are typed in the sentence come here by themselves.
          tabIndex={-1}
          aria-label={choices.prompt}
          placeholder={choices.prompt}
          autoComplete="off"
          value={filter}
          onChange={({ target }) => find(target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div role="listbox" id={listId} aria-label={choices.prompt} className={css.list}>
        {shown.map((choice, number) => (
          <Fragment key={choice.id}>
            {choice.group !== shown[number - 1]?.group && (
              <p role="presentation" className={css.group}>
                {choice.group}
              </p>
            )}
            <Option
              id={`${listId}${number}`}
              choice={choice}
              isActive={number === at}
              choosing={choosing}
              number={number}
            />
          </Fragment>
        ))}
      </div>
      {shown.length === 0 && <p className={css.nothing}>Nothing is called “{filter}”.</p>}
      <p className={css.keys} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> take
        </span>
        <span>
          <kbd>Tab</kbd> go on
        </span>
      </p>
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  number: number;
  isActive: boolean;
  choosing: Choosing;
}

function Option({ id, choice, number, isActive, choosing }: OptionProps) {
  const { icon: Icon, label, note, count } = choice;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive && number > 0) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive, number]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field in the sentence
    <div
      ref={element}
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isActive}
      className={css.option}
      onPointerMove={() => choosing.setAt(number)}
      // The focus stays in the sentence.
      onPointerDown={event => event.preventDefault()}
      onClick={() => choosing.take(number)}
    >
      {Icon && <Icon size={14} />}
      <span>
        <b>{label}</b> {note}
      </span>
      {count && <small>{count}</small>}
    </div>
  );
}
