import type { SmartModule, SmartModuleType } from '#contract/smartModule.ts';
import { DataPage } from './DataPage.tsx';
import { ModuleConfiguration } from './ModuleConfiguration.tsx';
import { WithModule } from './ModuleScreen.tsx';
import { RulePage } from './RulePage.tsx';
import { RunsPage } from './RunsPage.tsx';
import { WhyNotPage } from './WhyNotPage.tsx';

/** The page at a module's own address: its most important tab, which depends on its type. */
export function ModuleHome() {
  return <WithModule>{(module, type) => <First module={module} type={type} />}</WithModule>;
}

function First(props: { module: SmartModule; type: SmartModuleType }) {
  const { id } = props.type;
  if (id === 'rule') return <RulePage {...props} />;
  return id === 'fetch' || id === 'table' ? <DataPage {...props} /> : <RunsPage {...props} />;
}

export function ModuleRuns() {
  return <WithModule>{(module, type) => <RunsPage module={module} type={type} />}</WithModule>;
}

export function ModuleSettings() {
  return <WithModule>{(module, type) => <ModuleConfiguration module={module} type={type} />}</WithModule>;
}

export function ModuleWhyNot() {
  return <WithModule>{(module, type) => <WhyNotPage module={module} type={type} />}</WithModule>;
}
