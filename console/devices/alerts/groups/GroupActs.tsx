import { actsIn, actWords } from '#console/devices/alerts/alertWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import type { AlertGroup } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './groups.module.css';
import type { GroupsView } from './groupsView.ts';
import { titleOf } from './groupWords.ts';

/** The next step for a group as a button, the others in the menu. */
export function GroupActs({ view, group }: { view: GroupsView; group: AlertGroup }) {
  const { state, start, act } = view;
  const [first = 'acknowledge', ...others] = actsIn[state];
  const many = group.alerts > 1 ? ` all ${numberText(group.alerts)}` : '';
  const on = { groups: [group], alerts: [] };
  return (
    <div className={css.buttons}>
      <Button onClick={() => void act(first, on)}>{`${actWords[first].verb}${many}`}</Button>
      <Menu
        label={`Actions for ${titleOf(view.by, group)}`}
        items={[
          ...others.map(one => ({ label: `${actWords[one].verb}${many}`, run: () => void act(one, on) })),
          ...actsIn[state].map(one => ({
            label: `${actWords[one].verb}${many} with a note…`,
            run: () => start(one, on),
          })),
        ]}
      />
    </div>
  );
}
