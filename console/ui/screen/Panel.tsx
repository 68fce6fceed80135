import { type ReactNode, useState } from 'react';
import { useActions } from '#console/actions.ts';
import { Button } from '#console/ui/Button.tsx';
import { useFocusBack } from '#console/ui/edit/useFocusBack.ts';
import css from './Panel.module.css';

interface PanelProps {
  title: string;
  /** Beside the title, quiet. */
  note?: ReactNode;
  /** At the right of the head; not together with `edit`. */
  action?: ReactNode;
  children: ReactNode;
  /** The form that takes the place of the content; call `done` to come back. Starts from what the server has now. */
  edit?: ((done: () => void) => ReactNode) | undefined;
  /** True: may not be edited now. A form that is open already stays, with what was typed. */
  locked?: boolean;
  editLabel?: string;
  /** True: `e` opens it. For the first panel of a screen. */
  editKey?: boolean;
  /** Content goes to the edges: tables, logs. */
  flush?: boolean;
}

/** A section of a detail screen that toggles between view and edit in its place. */
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

/** Save and cancel under a panel's form. */
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

/** The form of a panel: its fields one under the other. */
export const panelForm = css.form;
/** Its fields as wide as the panel. */
export const widePanelForm = [css.form, css.wide].join(' ');

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values of a thing, as a list of terms. */
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
