import { type ReactNode, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { Button } from '#console/ui/Button.tsx';
import { useFocusBack } from '#console/ui/focus/useFocusBack.ts';
import css from './Panel.module.css';

interface PanelProps {
  title: string;
  /** Shown beside the title in a quiet colour. */
  note?: ReactNode;
  /** Shown at the right of the head; not together with `edit`. */
  action?: ReactNode;
  children: ReactNode;
  /** The form that replaces the content; call `done` to return. It starts from what the server has now. */
  edit?: ((done: () => void) => ReactNode) | undefined;
  /** True: editing is not possible now. A form that is already open stays, with the typed values. */
  locked?: boolean;
  editLabel?: string;
  /** True: the key `e` opens the form. For the first panel of a screen. */
  editKey?: boolean;
  /** The content extends to the edges: tables, logs. */
  flush?: boolean;
}

/** A section of a detail screen that switches between viewing and editing in place. */
export function Panel({
  title,
  note,
  action,
  children,
  edit,
  editLabel = 'Edit',
  editKey = false,
  locked = false,
  flush = false,
}: PanelProps) {
  const [editing, setEditing] = useState(false);
  const start = () => setEditing(true);
  const button = useFocusBack(editing);
  const offered = edit && !editing && !locked;
  useActions(
    offered
      ? [{ label: `${editLabel} ${title.toLowerCase()}`, keys: editKey ? 'e' : undefined, run: start }]
      : [],
  );
  return (
    <section className={css.panel} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {note && <span className={css.note}>{note}</span>}
        <span className={css.action}>
          {action}
          {offered && (
            <Button
              ref={button}
              variant="quiet"
              onClick={start}
              aria-label={`${editLabel} ${title.toLowerCase()}`}
            >
              {editLabel}
            </Button>
          )}
        </span>
      </header>
      <div className={flush && !editing ? undefined : css.body}>
        {edit && editing ? edit(() => setEditing(false)) : children}
      </div>
    </section>
  );
}

/** The save and cancel buttons of a panel's form. */
export function PanelFooter({
  saving,
  onCancel,
  verb = 'Save',
}: {
  saving: boolean;
  onCancel: () => void;
  verb?: string;
}) {
  return (
    <div className={css.footer}>
      <Button type="submit" variant="primary" busy={saving}>
        {verb}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}

/** The class of a panel's form: its fields one below the other. */
export const panelForm = css.form;
/** Its fields as wide as the panel. */
export const widePanelForm = [css.form, css.wide].join(' ');

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** The names and values of an item, as a description list. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
