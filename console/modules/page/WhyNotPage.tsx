import { WhyNotView } from '#console/modules/why/WhyNotView.tsx';
import type { SmartModule, SmartModuleType } from '#contract/smartModule.ts';
import { ModuleFrame } from './ModuleFrame.tsx';

export function WhyNotPage({ module, type }: { module: SmartModule; type: SmartModuleType }) {
  return (
    <ModuleFrame module={module} type={type}>
      <WhyNotView module={module} />
    </ModuleFrame>
  );
}
