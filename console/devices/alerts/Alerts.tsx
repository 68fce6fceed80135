import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Lighthouse } from '#console/ui/drawings.tsx';
import { type Chosen, type Filter, ListScreen } from '#console/ui/list/ListScreen.tsx';
import { SelectionActs } from '#console/ui/list/Selection.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { BulkProgress } from '#console/ui/state/BulkProgress.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { type Alert, actOnAlerts, listAlerts, readAlertAction, readAlertCounts } from '#contract/alert.ts';
import { readStats } from '#contract/stats.ts';
import { AlertMails } from './AlertMails.tsx';
import { alertColumns } from './alertColumns.tsx';
import { alertFilters, alertQuery } from './alertFilters.ts';
import { chosenAlerts } from './alertSelection.ts';
import { actsIn, actWords } from './alertWords.ts';
import { AlertDrawer } from './drawer/AlertDrawer.tsx';
import { useListAlerts } from './drawer/listedAlerts.ts';
import { GroupedAlerts } from './groups/GroupedAlerts.tsx';
import { linkTo } from './groups/groupsView.ts';
import { groupings } from './groups/groupWords.ts';
import { type ActingOnAlerts, useActOnAlerts } from './useActOnAlerts.tsx';

type Grouping = (typeof groupings)[number]['value'];

/** What is wrong in the fleet, who works on it, and how it was resolved. */
export function Alerts() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/alerts/' });
  const params = { projectId };
  const counts = useRead(readAlertCounts, { params }).data;
  const classes = useRead(readStats, { params }).data?.devices.map(({ deviceClass }) => deviceClass);
  const [url] = useUrlState();
  const grouping = groupings.find(({ value }) => value === url.group)?.value ?? 'cause';
  const shared = {
    actions: <AlertMails projectId={projectId} />,
    filters: alertFilters({ counts, classes }),
    empty: <NoAlerts />,
    searchHint: 'Text, key, event, id…',
    children: <Beside projectId={projectId} />,
  };
  const choice = <GroupChoice grouping={grouping} />;
  if (grouping === 'none')
    return <EachAlert key={projectId} projectId={projectId} {...shared} filtersEnd={choice} />;
  return (
    <GroupedAlerts key={projectId} {...{ projectId, counts, ...shared }} by={grouping} grouping={choice} />
  );
}

/** The progress of a bulk action, and the alert that is open. */
function Beside({ projectId }: { projectId: string }) {
  const [url, changeUrl] = useUrlState();
  return (
    <>
      <BulkProgress
        {...{ projectId, read: readAlertAction, act: actOnAlerts }}
        words={actWords}
        noun="alert"
      />
      {url.alert !== undefined && (
        <AlertDrawer
          projectId={projectId}
          alertId={url.alert}
          onClose={() => changeUrl({ alert: undefined }, { replace: true })}
        />
      )}
    </>
  );
}

function GroupChoice({ grouping }: { grouping: Grouping }) {
  const [url, changeUrl] = useUrlState();
  return (
    <Segments
      label="Group"
      options={groupings}
      chosen={grouping}
      onChange={group =>
        // Without groups, alerts of all states are listed unless one is chosen.
        changeUrl({
          group: group === 'cause' ? undefined : group,
          state: url.state ?? 'open',
          page: undefined,
          after: undefined,
        })
      }
    />
  );
}

interface EachAlertProps {
  projectId: string;
  actions: ReactNode;
  filters: readonly Filter[];
  empty: ReactNode;
  searchHint: string;
  filtersEnd: ReactNode;
  children: ReactNode;
}

/** A row for each alert. */
function EachAlert({ projectId, children, ...shared }: EachAlertProps) {
  const mayAct = useMay(actOnAlerts);
  const { start, dialog } = useActOnAlerts();
  return (
    <ListScreen
      {...shared}
      title="Alerts"
      noun="alerts"
      endpoint={listAlerts}
      input={(page, chosen) => ({ params: { projectId }, query: alertQuery(page, chosen) })}
      cursors
      columns={alertColumns(projectId)}
      rowKey={({ id }) => id}
      rowName={({ text }) => text}
      rowLink={linkTo}
      withRows={(rows, table) => <Listed ids={rows.map(({ id }) => id)}>{table}</Listed>}
      rowMenu={alert => (mayAct ? menuOf(projectId, alert, start) : [])}
      selectionActions={mayAct ? actionsFor(projectId, start) : undefined}
    >
      {children}
      {dialog}
    </ListScreen>
  );
}

function Listed({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  useListAlerts(ids);
  return children;
}

function NoAlerts() {
  return (
    <EmptyState icon={<Lighthouse />} title="No alerts">
      Devices raise alerts with <code>_alert</code> in an event, smart modules with a rule. Repeats count as
      one alert until it is resolved.
    </EmptyState>
  );
}

type Start = (acting: ActingOnAlerts) => void;

function menuOf(projectId: string, { id, state, text }: Alert, start: Start) {
  return actsIn[state].map(act => ({
    label: `${actWords[act].verb} alert`,
    run: () => start({ act, selection: { projectId, said: text, id } }),
  }));
}

const actionsFor =
  (projectId: string, start: Start) => (chosen: Chosen<typeof listAlerts>, clear: () => void) => (
    <SelectionActs
      acts={(['acknowledge', 'resolve', 'reopen'] as const).map(act => ({
        label: actWords[act].verb,
        run: () => start({ act, selection: chosenAlerts(projectId, chosen), clear }),
      }))}
    />
  );
