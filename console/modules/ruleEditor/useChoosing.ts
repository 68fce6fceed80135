import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Choices, matching } from './Choice.ts';

/** Which field of the sentence is being filled, what was typed to find a choice, and which choice Enter takes. */
export function useChoosing(choicesOf: (slot: string) => Choices | undefined) {
  const [slot, setSlot] = useState('start');
  const [filter, setFilter] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const next = useNextUnfinished(root);
  const choices = choicesOf(slot);
  const shown = choices ? matching(choices, filter) : [];

  function activate(id: string) {
    if (id === slot) return;
    setSlot(id);
    setFilter('');
    setAt(0);
  }
  function find(text: string) {
    setFilter(text);
    setAt(0);
  }
  function take(number: number) {
    const choice = shown[number];
    if (!choice) return focusForm(root.current, slot);
    choice.take();
    find('');
    next.after(slot);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isDone = keyDone(event, {
      filter,
      find,
      take: () => take(at),
      step: by => setAt(stepped(at, by, shown.length)),
    });
    if (isDone) event.preventDefault();
  }
  return { root, listId, slot, activate, choices, shown, filter, find, at, setAt, take, onKeyDown };
}

export type Choosing = ReturnType<typeof useChoosing>;

const stepped = (at: number, by: number, count: number) => (count === 0 ? 0 : (at + by + count) % count);

interface Keys {
  filter: string;
  find: (text: string) => void;
  take: () => void;
  step: (by: number) => void;
}

/** The keys of a field that is a button; in a field for text, only those that move and take. */
function keyDone({ key, target }: KeyboardEvent, { filter, find, take, step }: Keys): boolean {
  const isTyped = target instanceof HTMLInputElement;
  if (key === 'ArrowDown') step(1);
  else if (key === 'ArrowUp') step(-1);
  else if (key === 'Enter') take();
  else if (key === 'Escape' && filter !== '') find('');
  else if (isTyped) return false;
  else if (key === 'Backspace') find(filter.slice(0, -1));
  else if (key.length === 1 && (key !== ' ' || filter !== '')) find(filter + key);
  else return false;
  return true;
}

/** After a choice, the focus goes on to the first field behind it that is still unfinished, or back to its own. */
function useNextUnfinished(root: React.RefObject<HTMLDivElement | null>) {
  const [from, setFrom] = useState<{ slot: string }>();
  useEffect(() => {
    if (!from) return;
    const slots = [...(root.current?.querySelectorAll<HTMLElement>('[data-slot]') ?? [])];
    const own = slots.findIndex(({ dataset }) => dataset.slot === from.slot);
    const open = slots.slice(own + 1).find(({ dataset }) => dataset.open !== undefined);
    if (from.slot !== 'addAction') return (open ?? slots[own])?.focus();
    // A new action is filled in at once.
    const added = slots.findLast(({ dataset }) => /^action\d/.test(dataset.slot ?? ''));
    added?.focus();
    focusForm(root.current, added?.dataset.slot ?? '');
  }, [from, root]);
  return { after: (slot: string) => setFrom({ slot }) };
}

/** The fields of an action are in the place of its choices, once it is the one in focus. */
function focusForm(root: HTMLElement | null, slot: string): void {
  requestAnimationFrame(() => root?.querySelector<HTMLElement>(`[data-form="${slot}"]`)?.focus());
}
