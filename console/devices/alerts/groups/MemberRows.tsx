import { Link } from '@tanstack/react-router';
import { actsIn, actWords, nameOfDevice } from '#console/devices/alerts/alertWords.ts';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { BareCheckbox } from '#console/ui/form/Checkbox.tsx';
import table from '#console/ui/list/Table.module.css';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Alert } from '#contract/alert.ts';
import type { AlertGroup } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './groups.module.css';
import { type GroupsView, linkTo } from './groupsView.ts';
import { reportsText } from './groupWords.ts';

interface MemberRowsProps {
  view: GroupsView;
  group: AlertGroup;
  members: readonly Alert[];
  /** Shows further members. */
  showMore: () => void;
}

/** The alerts of a group, the newest report first. */
export function MemberRows({ view, group, members, showMore }: MemberRowsProps) {
  const more = group.alerts - members.length;
  const what = view.by === 'cause' ? 'device' : 'alert';
  return (
    <>
      {members.map(alert => (
        <MemberRow key={alert.id} view={view} group={group} alert={alert} members={members} />
      ))}
      {more > 0 && members.length > 0 && (
        <tr className={css.member}>
          {view.mayAct && <td />}
          <td colSpan={7} className={css.more}>
            <button type="button" className={css.showMore} onClick={showMore}>
              Show {numberText(more)} more {more === 1 ? what : `${what}s`}
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

function MemberRow({ view, group, alert, members }: Omit<MemberRowsProps, 'showMore'> & { alert: Alert }) {
  const { by, selection, mayAct } = view;
  const name = by === 'cause' ? nameOfDevice(alert) : alert.text;
  const isChosen = selection.hasAlert(group, alert);
  return (
    <tr className={css.member} data-row={alert.id} data-chosen={isChosen || undefined}>
      {mayAct && (
        <td className={table.narrow}>
          <BareCheckbox
            label={`Select ${name}`}
            checked={isChosen}
            onChange={on => selection.chooseAlert(group, alert, members, on)}
          />
        </td>
      )}
      <td>
        <div className={css.alert}>
          <span className={css.fold} />
          <Link {...linkTo(alert)} className={`${table.rowLink} ${css.memberName}`} data-row-main dir="auto">
            {name}
            {by === 'cause' && alert.deviceName && alert.deviceTag && <code>{alert.deviceTag}</code>}
          </Link>
        </div>
      </td>
      <td colSpan={2} data-from="tablet" dir="auto">
        {by === 'cause' && members.some(({ text }) => text !== group.newest.text) ? alert.text : ''}
      </td>
      <td className={css.when} data-from="desktop">
        {reportsText(alert.count)}
      </td>
      <td className={css.when} data-from="tablet">
        <TimeAgo time={alert.lastAt} />
      </td>
      <td className={css.when} data-from="desktop">
        {view.state === 'resolved' ? <TimeAgo time={alert.raisedAt} /> : <LastsSince time={alert.raisedAt} />}
      </td>
      {mayAct && (
        <td className={css.acts}>
          <Menu label={`Actions for ${name}`} items={menuOf(view, alert)} />
        </td>
      )}
    </tr>
  );
}

const menuOf = ({ act, start }: GroupsView, alert: Alert) =>
  actsIn[alert.state].flatMap(one => [
    { label: actWords[one].verb, run: () => void act(one, { groups: [], alerts: [alert] }) },
    {
      label: `${actWords[one].verb} with a note…`,
      run: () => start(one, { groups: [], alerts: [alert] }),
    },
  ]);
