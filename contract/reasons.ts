import { accountReasons } from './reasons/accountReasons.ts';
import { callReasons } from './reasons/callReasons.ts';
import { deviceReasons } from './reasons/deviceReasons.ts';
import { firmwareReasons } from './reasons/firmwareReasons.ts';
import { moduleReasons } from './reasons/moduleReasons.ts';
import { peopleReasons } from './reasons/peopleReasons.ts';
import { projectReasons } from './reasons/projectReasons.ts';
import { proxyReasons } from './reasons/proxyReasons.ts';

/**
 * Every reason a call can fail with, its status and its sentence. Shared by server, console, reference and SDK.
 * Sentences that the product specification fixes are used verbatim.
 */
export const reasons = {
  ...callReasons,
  ...accountReasons,
  ...projectReasons,
  ...deviceReasons,
  ...peopleReasons,
  ...proxyReasons,
  ...firmwareReasons,
  ...moduleReasons,
};

export type Reason = keyof typeof reasons;
