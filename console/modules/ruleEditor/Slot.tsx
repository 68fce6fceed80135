import type { ReactNode } from 'react';
import { ChevronDownIcon, PlusIcon } from '#console/ui/icons/icons.tsx';
import css from './ruleEditor.module.css';
import type { Choosing } from './useChoosing.ts';

interface SlotProps {
  id: string;
  choosing: Choosing;
  /** What is chosen here, for screen readers. */
  label: string;
  children: ReactNode;
  /** Beside the words, quieter. */
  count?: string | undefined;
  /** Something must be chosen here. */
  isOpen?: boolean;
  /** It adds a part instead of choosing one that is there. */
  adds?: boolean;
}

/** A field of the sentence. Its choices are at the right; typing finds one, Enter takes it, Tab goes on. */
export function Slot({ id, choosing, label, children, count, isOpen = false, adds = false }: SlotProps) {
  const isActive = choosing.slot === id;
  return (
    <button
      type="button"
      role="combobox"
      className={css.slot}
      data-slot={id}
      data-open={isOpen || undefined}
      data-adds={adds || undefined}
      data-active={isActive || undefined}
      aria-label={label}
      aria-expanded={isActive}
      aria-controls={choosing.listId}
      aria-invalid={isOpen || undefined}
      aria-activedescendant={
        isActive && choosing.shown.length > 0 ? `${choosing.listId}${choosing.at}` : undefined
      }
      onFocus={() => choosing.activate(id)}
      // Safari does not focus a button that is pressed.
      onClick={({ currentTarget }) => currentTarget.focus()}
      onKeyDown={choosing.onKeyDown}
    >
      {adds && <PlusIcon size={12} />}
      <span>{children}</span>
      {count && <small>{count}</small>}
      {!adds && <ChevronDownIcon size={14} />}
    </button>
  );
}
