import { type RefObject, useEffect, useRef } from 'react';

/** Once editing is over, the focus goes to the button that began it, unless it has gone elsewhere. */
export function useFocusBack(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing && document.activeElement === document.body) button.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  return button;
}
