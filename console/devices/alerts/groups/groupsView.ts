import type { AlertAct } from '#console/devices/alerts/alertWords.ts';
import type { Alert, AlertState } from '#contract/alert.ts';
import type { AlertGrouping } from '#contract/alertGroup.ts';
import type { Narrowing } from './groupMembers.ts';
import type { ActedOn } from './useGroupActs.tsx';
import type { GroupSelection } from './useGroupSelection.ts';

/** What all rows of the grouped list share. */
export interface GroupsView {
  projectId: string;
  by: AlertGrouping;
  state: AlertState;
  within: Narrowing;
  mayAct: boolean;
  selection: GroupSelection;
  toggle: (groupId: string) => void;
  /** Acts at once; returns whether it worked. */
  act: (act: AlertAct, on: ActedOn) => Promise<boolean>;
  /** Asks for a note first. */
  start: (act: AlertAct, on: ActedOn) => void;
}

/** Opens an alert beside the list. */
export const linkTo = ({ id }: Alert) =>
  ({
    to: '.',
    search: ((before: object) => ({ ...before, alert: id })) as never,
    resetScroll: false,
  }) as const;
