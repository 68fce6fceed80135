import { ModuleConfiguration } from './ModuleConfiguration.tsx';
import { WithModule } from './ModuleScreen.tsx';

/** What a module's own address shows. */
export function ModuleHome() {
  return (
    <WithModule>
      {(module, type) => <ModuleConfiguration key={module.id} module={module} type={type} />}
    </WithModule>
  );
}
