import { type ModuleType, moduleType } from '#server/smartModules/moduleType.ts';
import { faultOf, nextTime } from './nextTimes.ts';
import { type ScheduleConfig, scheduleConfig } from './scheduleConfig.ts';

/** Does something with devices at times of the clock on the wall. */
export const scheduleType: ModuleType<ScheduleConfig> = moduleType({
  id: 'schedule',
  name: 'Schedule',
  summary: 'Sends a command, sets a desired state or raises an alert at certain times.',
  dataSourceModuleTypes: [],
  takesEvents: false,
  isDataSource: false,
  config: scheduleConfig,
  attemptsAfterS: [0, 10, 60],
  check: async config => {
    const fault = faultOf(config);
    return { faults: fault ? [{ pointer: `/${fault.field}`, message: fault.message }] : [] };
  },
  dueAfter: (config, after) => nextTime(config, after),
  run: async () => ({ isOk: false, isFinal: true, summary: '' }),
});
