import { useRead } from '#console/core/api.ts';
import { listModuleEvents, platformEvents } from '#contract/moduleRun.ts';

/** The names of the platform's events and of recent events. */
export function useSuggestions(projectId: string, deviceClasses: readonly string[]) {
  const [deviceClass] = deviceClasses.length === 1 ? deviceClasses : [];
  const query = deviceClass === undefined ? {} : { deviceClass };
  const { data = [], isPending } = useRead(listModuleEvents, { params: { projectId }, query });
  const seen = data.map(({ name }) => name).filter(name => !(name in platformEvents));
  return { events: [...new Set(seen), ...Object.keys(platformEvents)], isPending };
}
