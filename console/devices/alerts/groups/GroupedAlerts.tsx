import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { AlertNoteDialog } from '#console/devices/alerts/AlertNoteDialog.tsx';
import { actsIn } from '#console/devices/alerts/alertWords.ts';
import list from '#console/ui/list/ListScreen.module.css';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import { ListToolbar } from '#console/ui/list/ListToolbar.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type AlertCounts, alertStates } from '#contract/alert.ts';
import { type AlertGrouping, alertGroupsMax, listAlertGroups } from '#contract/alertGroup.ts';
import { numberText } from '#rules/text/numberText.ts';
import { GroupTable } from './GroupTable.tsx';
import css from './groups.module.css';
import type { GroupsView } from './groupsView.ts';
import { countsText } from './groupWords.ts';
import { NoGroups } from './NoGroups.tsx';
import { SelectedAlerts } from './SelectedAlerts.tsx';
import { useGroupFilters } from './useGroupFilters.ts';
import { useGroupsView } from './useGroupsView.ts';
import { keyHints } from './useRowKeys.ts';

interface GroupedAlertsProps {
  projectId: string;
  by: AlertGrouping;
  filters: readonly Filter[];
  counts: AlertCounts | undefined;
  /** The choice of the grouping. */
  grouping: ReactNode;
  actions: ReactNode;
  /** Shown in place of the list while the project has no alert in any state. */
  empty: ReactNode;
  searchHint: string;
  children: ReactNode;
}

/** The alerts of one state by what they have in common: what is wrong, how far it goes, and the next step. */
export function GroupedAlerts(props: GroupedAlertsProps) {
  const { projectId, by, filters, counts } = props;
  const { state, query, isNarrowed, clear, toolbar } = useGroupFilters(filters);
  const read = useRead(listAlertGroups, { params: { projectId }, query: { ...query, by } });
  const { data } = read;
  const groups = data?.groups ?? [];
  const { view, busy, unfolded, unfold, acting } = useGroupsView({ projectId, by, state, query, groups });
  const isBare = counts && alertStates.every(one => counts[one] === 0);
  return (
    <Screen
      title="Alerts"
      beside={
        groups.length > 0 && (
          <span className={list.count}>{countsText(by, state, data?.alerts ?? 0, data?.total ?? 0)}</span>
        )
      }
      actions={props.actions}
    >
      {props.children}
      {!isBare && (
        <ListToolbar list={toolbar} searchHint={props.searchHint} filters={filters} end={props.grouping} />
      )}
      <div className={list.frame}>
        {isBare && props.empty}
        {!isBare && !data && (
          <ReadState read={read} what="The alerts" skeleton={<Skeleton shape="rows" lines={8} />} />
        )}
        {!isBare && data && groups.length === 0 && <NoGroups {...{ state, counts, isNarrowed, clear }} />}
        {!isBare && groups.length > 0 && (
          <GroupTable view={view} groups={groups} unfolded={unfolded} onUnfold={unfold} />
        )}
        {view.mayAct && view.selection.count > 0 && <SelectedAlerts view={view} busy={busy} />}
      </div>
      {groups.length > 0 && <KeyLine view={view} total={data?.total ?? 0} />}
      {acting && <AlertNoteDialog {...acting} />}
    </Screen>
  );
}

/** The keys of the list, and its order. */
function KeyLine({ view, total }: { view: GroupsView; total: number }) {
  return (
    <p className={css.keys}>
      {keyHints(actsIn[view.state], view.mayAct).map(([keys, what]) => (
        <span key={what}>
          {keys.map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
          {what}
        </span>
      ))}
      <span className={css.order}>
        {total > alertGroupsMax
          ? `The first ${numberText(alertGroupsMax)} of ${numberText(total)}, critical first`
          : 'Critical first, then the newest report'}
      </span>
    </p>
  );
}
