import type { Slice } from '#server/api/slice.ts';
import { moduleActions } from './actions/slice.ts';
import { moduleData } from './data/slice.ts';
import { moduleDispatch } from './dispatch/routes.ts';
import { moduleEvents } from './events/routes.ts';
import { moduleManagement } from './management/routes.ts';
import { moduleNotify } from './notify/slice.ts';
import { moduleRests } from './rests/slice.ts';
import { ruleReplay } from './ruleReplay/routes.ts';
import { moduleRules } from './rules/slice.ts';
import { moduleRuns } from './runs/routes.ts';
import { moduleSchedules } from './schedules/slice.ts';
import { smartModules } from './smartModules/slice.ts';
import { moduleWarnings } from './warnings/slice.ts';
import { moduleWebhooks } from './webhooks/slice.ts';

export const moduleSlices: readonly Slice[] = [
  smartModules,
  moduleData,
  moduleWebhooks,
  moduleNotify,
  moduleSchedules,
  moduleActions,
  moduleRests,
  moduleRules,
  moduleEvents,
  moduleRuns,
  moduleDispatch,
  moduleManagement,
  moduleWarnings,
  ruleReplay,
];
