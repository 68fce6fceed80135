import { call } from '#console/core/client.ts';
import { type Alert, type AlertState, alertIdsMax, listAlerts } from '#contract/alert.ts';
import type { AlertGroup, AlertGrouping } from '#contract/alertGroup.ts';
import type { QueryOf } from '#contract/endpoint.ts';

type Query = NonNullable<QueryOf<typeof listAlerts>>;

/** What the screen is narrowed to; the members of a group are within it. */
export type Narrowing = Omit<Query, 'limit' | 'skip' | 'cursor' | 'sortBy'> & { state: AlertState };

/** What is known of a group that is acted on. */
export type ActedGroup = Pick<AlertGroup, 'id' | 'severity' | 'newest' | 'alerts'>;

/** The query that finds the alerts of a group. */
export function membersQuery(
  by: AlertGrouping,
  { severity, newest: { source, deviceId } }: ActedGroup,
  within: Narrowing,
): Narrowing {
  if (by === 'device') return { ...within, deviceId };
  const cause = source.kind === 'module' ? { moduleId: source.moduleId } : { event: source.event };
  return { ...within, severity, ...cause };
}

/** How many members are shown when a group is unfolded. */
export const fewMembers = 5;

/** Whether the alerts of a group can be changed by their ids, in one call that can be undone. */
export const isByIds = ({ alerts }: ActedGroup) => alerts <= alertIdsMax;

export async function readMembers(projectId: string, query: Narrowing): Promise<Alert[]> {
  const input = { params: { projectId }, query: { ...query, limit: alertIdsMax, sortBy: 'lastAt:desc' } };
  return (await call(listAlerts, input)).items;
}
