import { type ModuleType, moduleType } from '#server/smartModules/moduleType.ts';
import { type NotifyConfig, notifyConfig } from './notifyConfig.ts';

/** Writes to the members of a device's home. */
export const notifyType: ModuleType<NotifyConfig> = moduleType({
  id: 'notify',
  name: 'Notify',
  summary: 'Sends an e-mail to the members of a home when something happens in it.',
  dataSourceModuleTypes: [],
  takesEvents: true,
  isDataSource: false,
  config: notifyConfig,
  attemptsAfterS: [0, 10, 60],
  run: async () => ({ isOk: false, isFinal: true, summary: '' }),
});
