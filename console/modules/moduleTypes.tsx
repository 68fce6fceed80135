import type { ComponentType } from 'react';
import { line } from '#console/ui/icons/icon.tsx';
import { BoltIcon, ClockIcon, ColumnsIcon, DownloadIcon, ModuleIcon } from '#console/ui/icons/icons.tsx';
import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { isFailing } from './isFailing.ts';

interface TypeWords {
  /** Shown until the server has sent the type's name. */
  name: string;
  icon: ComponentType<{ size?: number }>;
  /** The label for its runs. */
  runs: 'Runs' | 'Deliveries';
  /** The singular: "delivery". */
  run: 'run' | 'delivery';
  done: string;
  failed: string;
  /** There was nothing to do, or a limit held the run back. */
  held: string;
  /** The label of the test button. */
  test: string;
}

const MailIcon = line('M4 6h16v12H4zM4.5 6.5L12 13l7.5-6.5');
const ofRuns = { runs: 'Runs', run: 'run', done: 'Done', failed: 'Failed', held: 'Held back' } as const;

export const typeWords: Record<ModuleTypeId, TypeWords> = {
  webhook: {
    name: 'Webhook',
    icon: ModuleIcon,
    runs: 'Deliveries',
    run: 'delivery',
    test: 'Send test',
    done: 'Delivered',
    failed: 'Given up',
    held: 'Held back',
  },
  rule: { name: 'Rule', icon: BoltIcon, ...ofRuns, test: 'Test rule' },
  schedule: { name: 'Schedule', icon: ClockIcon, ...ofRuns, test: 'Run now' },
  fetch: { name: 'Fetch', icon: DownloadIcon, ...ofRuns, test: 'Fetch now' },
  table: { name: 'Table', icon: ColumnsIcon, ...ofRuns, test: 'Test table' },
  notify: {
    name: 'Notification',
    icon: MailIcon,
    runs: 'Deliveries',
    run: 'delivery',
    test: 'Send test',
    done: 'Sent',
    failed: 'Given up',
    held: 'Not sent',
  },
};

const stateWords: Record<SmartModule['state'], { tone: Tone; word: string }> = {
  running: { tone: 'ok', word: 'Running' },
  suspended: { tone: 'danger', word: 'Suspended' },
  parked: { tone: 'warn', word: 'Parked' },
};

/** A module that is running but whose runs keep failing counts as failing. */
export const stateOf = (state: SmartModule['state'], failingSince: string | undefined, now: number) =>
  state === 'running' && isFailing(failingSince, now)
    ? { tone: 'danger' as const, word: 'Failing' }
    : stateWords[state];
