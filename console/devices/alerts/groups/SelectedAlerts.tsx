import { useActions } from '#console/core/actions.ts';
import { type AlertAct, actsIn, actWords, nameOfDevice } from '#console/devices/alerts/alertWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { numberText } from '#rules/text/numberText.ts';
import css from './groups.module.css';
import type { GroupsView } from './groupsView.ts';
import { titleOf } from './groupWords.ts';

/** The foot of the table: what is selected, and what can be done with it. */
export function SelectedAlerts({ view, busy }: { view: GroupsView; busy: AlertAct | undefined }) {
  const { by, state, selection, act, start } = view;
  const { groups, alerts, count, clear } = selection;
  const names = [...groups.map(group => titleOf(by, group)), ...alerts.map(nameOfDevice)];
  const on = { groups, alerts };
  const run = (what: AlertAct) => act(what, on);
  useActions([
    { label: 'Clear selection', keys: 'Escape', run: clear },
    ...actsIn[state].map(one => ({ label: `${actWords[one].verb} selected`, run: () => void run(one) })),
  ]);
  const [first = 'acknowledge'] = actsIn[state];
  return (
    <section className={css.selected} aria-label="Selected alerts">
      <b role="status">{numberText(count)} selected</b>
      <span className={css.names} dir="auto">
        {names.join(', ')}
      </span>
      {actsIn[state].map((one, at) => (
        <Button
          key={one}
          variant={at === 0 ? 'primary' : 'plain'}
          busy={busy === one}
          onClick={() => void run(one)}
        >
          {actWords[one].verb}
        </Button>
      ))}
      <Button onClick={() => start(first, on)}>With a note…</Button>
      <Button variant="quiet" onClick={clear}>
        Clear <kbd>Esc</kbd>
      </Button>
    </section>
  );
}
