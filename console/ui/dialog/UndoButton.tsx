import css from './Toast.module.css';

/** In a toast: takes back what it tells of. */
export function UndoButton({ undo }: { undo: () => void }) {
  return (
    <button type="button" className={css.undo} onClick={undo}>
      Undo
    </button>
  );
}
