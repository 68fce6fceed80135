import { useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import { readOptions } from '#console/core/client.ts';
import { actsIn } from '#console/devices/alerts/alertWords.ts';
import { useListAlerts } from '#console/devices/alerts/drawer/listedAlerts.ts';
import { BareCheckbox } from '#console/ui/form/Checkbox.tsx';
import table from '#console/ui/list/Table.module.css';
import { showCut } from '#console/ui/list/TwoLines.tsx';
import { useArrowInto } from '#console/ui/list/useArrowInto.ts';
import { useIsNarrow } from '#console/ui/screen/useIsNarrow.ts';
import { type Alert, listAlerts } from '#contract/alert.ts';
import type { AlertGroup } from '#contract/alertGroup.ts';
import type { Page } from '#contract/paging.ts';
import { GroupRow } from './GroupRow.tsx';
import { fewMembers, membersQuery } from './groupMembers.ts';
import css from './groups.module.css';
import type { GroupsView } from './groupsView.ts';
import { MemberRows } from './MemberRows.tsx';
import type { ActedOn } from './useGroupActs.tsx';
import { type RowActs, useRowKeys } from './useRowKeys.ts';

const manyMembers = 50;

interface GroupTableProps {
  view: GroupsView;
  groups: readonly AlertGroup[];
  unfolded: ReadonlyMap<string, number>;
  onUnfold: (groupId: string, limit: number) => void;
}

/** Groups of alerts, each of which unfolds into its members. */
export function GroupTable({ view, groups, unfolded, onUnfold }: GroupTableProps) {
  const element = useRef<HTMLTableElement>(null);
  const frame = useArrowInto(useRef<HTMLDivElement>(null));
  const members = useMembers(view, groups, unfolded);
  useListAlerts(groups.flatMap(group => (members.get(group.id) ?? [group.newest]).map(({ id }) => id)));
  useRowKeys(element, rowActsOf(view, groups, members), view.mayAct ? actsIn[view.state] : []);
  return (
    <div ref={frame}>
      <table ref={element} className={table.table} aria-label="Alerts" onPointerOver={showCut}>
        <Head view={view} groups={groups} />
        {groups.map(group => {
          const limit = unfolded.get(group.id);
          const shown = members.get(group.id) ?? [];
          return (
            <tbody key={group.id}>
              <GroupRow view={view} group={group} members={shown} isOpen={limit !== undefined} />
              {limit !== undefined && (
                <MemberRows
                  view={view}
                  group={group}
                  members={shown}
                  showMore={() => onUnfold(group.id, limit + manyMembers)}
                />
              )}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

function Head({ view, groups }: Pick<GroupTableProps, 'view' | 'groups'>) {
  const { selection, mayAct, by, state } = view;
  const isNarrow = useIsNarrow();
  return (
    <thead>
      <tr>
        {mayAct && (
          <th scope="col" className={table.narrow}>
            <BareCheckbox
              label="Select all groups"
              checked={groups.every(group => selection.hasGroup(group))}
              some={selection.count > 0}
              onChange={selection.chooseAll}
            />
          </th>
        )}
        <th scope="col" className={css.alertHead} colSpan={isNarrow && mayAct ? 2 : 1}>
          Alert
        </th>
        <th scope="col" data-from="tablet">
          Severity
        </th>
        <th scope="col" data-from="tablet">
          {by === 'cause' ? 'Devices' : 'Alerts'}
        </th>
        <th scope="col" data-from="desktop">
          Raised, last 24 h
        </th>
        <th scope="col" data-from="tablet">
          Newest report
        </th>
        <th scope="col" data-from="desktop">
          {state === 'resolved' ? 'First raised' : 'Open for'}
        </th>
        {mayAct && !isNarrow && (
          <th scope="col">
            <span className="visuallyHidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** The members on screen: of a group of one its alert, of an unfolded one as many as were asked for. */
function useMembers(
  { projectId, by, within }: GroupsView,
  groups: readonly AlertGroup[],
  unfolded: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly Alert[]> {
  const open = groups.filter(({ id, alerts }) => alerts > 1 && unfolded.has(id));
  const reads = useQueries({
    queries: open.map(group => {
      const limit = unfolded.get(group.id) ?? fewMembers;
      const query = { ...membersQuery(by, group, within), limit, sortBy: 'lastAt:desc' };
      return {
        ...readOptions(listAlerts, { params: { projectId }, query }),
        placeholderData: (before: Page<Alert> | undefined) => before,
      };
    }),
  });
  return new Map<string, readonly Alert[]>([
    ...groups.filter(({ alerts }) => alerts === 1).map(({ id, newest }): [string, Alert[]] => [id, [newest]]),
    ...open.map(({ id }, at): [string, Alert[]] => [id, reads[at]?.data?.items ?? []]),
  ]);
}

function rowActsOf(
  view: GroupsView,
  groups: readonly AlertGroup[],
  members: ReadonlyMap<string, readonly Alert[]>,
): ReadonlyMap<string, RowActs> {
  const rows = new Map<string, RowActs>();
  const { selection, toggle } = view;
  for (const group of groups) {
    const shown = members.get(group.id) ?? [];
    const fold = () => toggle(group.id);
    rows.set(group.id, {
      select: () => selection.chooseGroup(group, shown, !selection.hasGroup(group)),
      acts: actsOn(view, { groups: [group], alerts: [] }),
      ...(group.alerts > 1 && { fold }),
    });
    if (group.alerts === 1) continue;
    for (const alert of shown)
      rows.set(alert.id, {
        select: () => selection.chooseAlert(group, alert, shown, !selection.hasAlert(group, alert)),
        acts: actsOn(view, { groups: [], alerts: [alert] }),
        fold,
      });
  }
  return rows;
}

/** The keys act on what is selected, and without a selection on the row in focus. */
const actsOn = ({ selection, act, state }: GroupsView, row: ActedOn) =>
  actsIn[state].map(one => ({
    act: one,
    run: () => void act(one, selection.count > 0 ? selection : row),
  }));
