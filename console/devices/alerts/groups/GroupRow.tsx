import { Link } from '@tanstack/react-router';
import { severityWords } from '#console/devices/alerts/alertWords.ts';
import { BareCheckbox } from '#console/ui/form/Checkbox.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '#console/ui/icons/icons.tsx';
import table from '#console/ui/list/Table.module.css';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useIsNarrow } from '#console/ui/screen/useIsNarrow.ts';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Alert } from '#contract/alert.ts';
import type { AlertGroup } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';
import { GroupActs } from './GroupActs.tsx';
import css from './groups.module.css';
import { type GroupsView, linkTo } from './groupsView.ts';
import { devicesText, shortOf, subOf, titleOf } from './groupWords.ts';
import { RaisedBars } from './RaisedBars.tsx';

interface GroupRowProps {
  view: GroupsView;
  group: AlertGroup;
  /** Those of its alerts that are on screen. */
  members: readonly Alert[];
  isOpen: boolean;
}

/** What alerts have in common. A group of one is that alert. */
export function GroupRow({ view, group, members, isOpen }: GroupRowProps) {
  const { by, selection, mayAct } = view;
  const isNarrow = useIsNarrow();
  const bars = <RaisedBars hours={group.raisedPerHour} severity={group.severity} />;
  const acts = mayAct && <GroupActs view={view} group={group} />;
  const isChosen = selection.hasGroup(group);
  return (
    <tr data-row={group.id} data-chosen={isChosen || undefined}>
      {mayAct && (
        <td className={table.narrow}>
          <BareCheckbox
            label={`Select ${titleOf(by, group)}`}
            checked={isChosen}
            some={selection.hasSome(members)}
            onChange={on => selection.chooseGroup(group, members, on)}
          />
        </td>
      )}
      <td colSpan={isNarrow && mayAct ? 2 : 1}>
        <Name view={view} group={group} isOpen={isOpen} />
        {isNarrow && (
          <div className={css.phone}>
            {bars}
            {acts}
          </div>
        )}
      </td>
      <td data-from="tablet">
        <StatePill shape="lines" {...severityWords[group.severity]} />
      </td>
      <td data-from="tablet">
        {by === 'device' ? numberText(group.alerts) : <Devices view={view} group={group} />}
      </td>
      <td data-from="desktop">{bars}</td>
      <td className={css.when} data-from="tablet">
        <TimeAgo time={group.lastAt} />
      </td>
      <td className={css.when} data-from="desktop">
        {view.state === 'resolved' ? <TimeAgo time={group.raisedAt} /> : <LastsSince time={group.raisedAt} />}
      </td>
      {!isNarrow && acts && <td className={css.acts}>{acts}</td>}
    </tr>
  );
}

function Name({ view, group, isOpen }: Omit<GroupRowProps, 'members'>) {
  const { by, toggle } = view;
  const isOne = group.alerts === 1;
  const text = (
    <TwoLines
      strong
      main={<span dir="auto">{titleOf(by, group)}</span>}
      sub={
        <>
          <span className={css.onPhone}>{shortOf(by, group)}</span>
          <span className={css.beside} dir="auto">
            {subOf(by, group)}
          </span>
        </>
      }
    />
  );
  return (
    <div className={css.alert}>
      <span className={css.fold} aria-hidden="true">
        {!isOne && (isOpen ? <ChevronDownIcon size={16} /> : <ChevronRightIcon size={16} />)}
      </span>
      {isOne ? (
        <Link {...linkTo(group.newest)} className={table.rowLink} data-row-main>
          {text}
        </Link>
      ) : (
        <button
          type="button"
          className={table.rowLink}
          data-row-main
          aria-expanded={isOpen}
          onClick={() => toggle(group.id)}
        >
          {text}
        </button>
      )}
    </div>
  );
}

function Devices({ view, group }: Pick<GroupRowProps, 'view' | 'group'>) {
  if (group.devices > 1) return <b className={css.devices}>{devicesText(group)}</b>;
  const { deviceId } = group.newest;
  return (
    <Link
      className={css.device}
      to="/projects/$projectId/devices/$deviceId"
      params={{ projectId: view.projectId, deviceId }}
      dir="auto"
    >
      {devicesText(group)}
    </Link>
  );
}
