import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { figureRanges, readModuleFigures } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import { RunList } from './RunList.tsx';
import { RunsChart } from './RunsChart.tsx';
import css from './runs.module.css';

const refetchMs = 5_000;
type Range = (typeof figureRanges)[number];
const rangeWords: Record<Range, string> = { '24h': '24 h', '7d': '7 d', '30d': '30 d' };

export function useFigures({ projectId, id: moduleId }: SmartModule, range: Range = '24h') {
  return useRead(
    readModuleFigures,
    { params: { projectId, moduleId }, query: { range } },
    { refetchInterval: refetchMs },
  );
}

/** What a module did: the number of runs per hour, and the list of runs. */
export function RunsView({ module }: { module: SmartModule }) {
  const [url, change] = useUrlState();
  const range = figureRanges.find(one => one === url.range) ?? '24h';
  const read = useFigures(module, range);
  const { data } = read;
  const { runs } = typeWords[module.moduleType];
  const total = data && data.done + data.failed;
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title={runs}
      note={total !== undefined && `${numberText(total)} in ${rangeWords[range]}`}
      flush
      action={
        <Segments
          label="Range"
          options={figureRanges.map(value => ({ value, label: rangeWords[value] }))}
          chosen={range}
          onChange={value => change({ range: value === '24h' ? undefined : value }, { replace: true })}
        />
      }
    >
      {data ? (
        <RunsChart
          figures={data}
          moduleType={module.moduleType}
          asTable={asTable}
          onTable={() => setAsTable(!asTable)}
        />
      ) : (
        <div className={css.waiting}>
          <ReadState read={read} what="The figures" skeleton={<Skeleton lines={4} />} />
        </div>
      )}
      <RunList module={module} figures={data} />
    </Panel>
  );
}
