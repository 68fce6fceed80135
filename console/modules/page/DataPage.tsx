import { FetchFacts } from '#console/modules/data/FetchFacts.tsx';
import { ModuleDataView } from '#console/modules/data/ModuleDataView.tsx';
import { TableVersions } from '#console/modules/data/TableVersions.tsx';
import { useTest } from '#console/modules/runs/TestModule.tsx';
import type { SmartModule, SmartModuleType } from '#contract/smartModule.ts';
import { ModuleFacts } from './ModuleFacts.tsx';
import { ModuleFrame } from './ModuleFrame.tsx';

/** The data that a module provides. */
export function DataPage({ module, type }: { module: SmartModule; type: SmartModuleType }) {
  const test = useTest(module, type);
  return (
    <ModuleFrame
      module={module}
      type={type}
      actions={test.button}
      side={
        <>
          {type.id === 'table' ? <TableVersions module={module} /> : <FetchFacts module={module} />}
          <ModuleFacts module={module} type={type} />
        </>
      }
    >
      <ModuleDataView module={module} />
      {test.dialog}
    </ModuleFrame>
  );
}
