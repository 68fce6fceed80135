import { type RefObject, useLayoutEffect, useRef } from 'react';

/** After editing, returns the focus to the button that started it, unless it has moved elsewhere. */
export function useFocusBack(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useLayoutEffect(() => {
    if (wasEditing.current && !editing && document.activeElement === document.body) button.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return button;
}
