import { sizeText } from '#console/ui/form/FileField.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { SmartModule } from '#contract/smartModule.ts';
import { useModuleData } from './ModuleDataView.tsx';

/** When something was fetched, and how much. */
export function FetchFacts({ module }: { module: SmartModule }) {
  const { data } = useModuleData(module);
  if (!data) return null;
  return (
    <Panel title="Fetched">
      <Facts
        facts={[
          ['Last fetched', <TimeAgo key="at" time={data.at} />],
          ['Last tried', <TimeAgo key="tried" time={data.triedAt} />],
          ['Size', sizeText(data.bytes)],
          ['Label', data.label ? <code key="l">data.{data.label}</code> : 'none, so rules cannot use it'],
        ]}
      />
    </Panel>
  );
}
