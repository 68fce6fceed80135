import { serverNow } from '#console/core/serverClock.ts';
import { stateOf, typeWords } from '#console/modules/moduleTypes.tsx';
import { neverWords } from '#console/modules/runs/runWords.ts';
import { firstLine } from '#console/ui/firstLine.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { SmartModuleRow } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import { HourBars } from './HourBars.tsx';
import css from './list.module.css';

export const moduleColumns: readonly Column<SmartModuleRow>[] = [
  {
    id: 'module',
    head: 'Module',
    sort: 'id',
    cell: ({ id, description, moduleType }) => {
      const { icon: Icon, name } = typeWords[moduleType];
      return (
        <span className={css.name}>
          <span className={css.icon} title={name}>
            <Icon size={18} />
          </span>
          <TwoLines
            strong
            main={id}
            sub={
              <>
                {name}
                {description && <span dir="auto"> · {firstLine(description)}</span>}
              </>
            }
          />
        </span>
      );
    },
  },
  {
    id: 'state',
    head: 'State',
    width: '15%',
    isShort: true,
    cell: ({ state, activity: { waiting, failingSince } }) => (
      <StatePill
        shape="lines"
        {...stateOf(state, failingSince, serverNow())}
        detail={waiting > 0 ? `${numberText(waiting)} waiting` : undefined}
      />
    ),
  },
  {
    id: 'activity',
    head: 'Last 24 h',
    width: '16%',
    cell: ({ activity }) => <HourBars {...activity} />,
  },
  {
    id: 'done',
    head: 'Done',
    align: 'end',
    width: '9%',
    cell: ({ activity: { done } }) => numberText(done),
  },
  {
    id: 'failed',
    head: 'Failed',
    align: 'end',
    width: '9%',
    cell: ({ activity: { failed } }) => (
      <span className={failed > 0 ? css.bad : css.quiet}>{numberText(failed)}</span>
    ),
  },
  {
    id: 'last',
    head: 'Last',
    width: '12%',
    cell: ({ activity: { lastAt }, createdAt }) => <TimeAgo time={lastAt} never={neverWords(createdAt)} />,
  },
];
