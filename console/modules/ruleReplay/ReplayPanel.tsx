import { useState } from 'react';
import { useRuleNames } from '#console/modules/controls/useRuleNames.ts';
import type { ModuleValues } from '#console/modules/form/moduleValues.ts';
import type { ModuleConfigForm } from '#console/modules/form/useConfigForm.ts';
import { Button } from '#console/ui/Button.tsx';
import { RotateIcon } from '#console/ui/icons/icons.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { localTime } from '#console/ui/logs/localTime.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { RuleNames, RuleReplay, replayKinds } from '#contract/ruleReplay.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ReplayChart } from './ReplayChart.tsx';
import { ReplayTable } from './ReplayTable.tsx';
import css from './replay.module.css';
import { useReplay } from './useReplay.ts';

interface Replayed {
  projectId: string;
  /** The saved rule to compare with. */
  moduleId?: string;
  values: ModuleValues;
  config: ModuleConfigForm;
}

export type ReplayKind = (typeof replayKinds)[number];

/** The replay of a rule while it is written: from its condition on, also before its actions are complete. */
export function useRuleReplay({ projectId, moduleId, values, config }: Replayed): ReplayPanelProps {
  const names = parseSubscribedEvents(values.subscribedEvents).names;
  const isSound =
    config.check.isCurrent && config.faults.every(({ pointer }) => /^\/actions(\/|$)/.test(pointer));
  const body = {
    ...(moduleId !== undefined && { moduleId }),
    configData: config.sent,
    subscribedEvents: names,
    deviceClasses: [...values.deviceClasses],
    dataSourceModules: [...values.dataSourceModules],
  };
  const replaying = useReplay(projectId, isSound && names.length > 0 ? body : undefined);
  return {
    projectId,
    deviceClasses: values.deviceClasses,
    replaying,
    canRun: isSound && names.length > 0,
    isCompared: moduleId !== undefined,
    // Nothing is said about the rule until its check has finished.
    isBeingChecked: !config.check.isCurrent && !config.check.error,
    isListening: names.length > 0,
  };
}

/** What a saved rule would have done in the last 24 hours, for those who may not edit it. */
export function SavedReplay({ module }: { module: SmartModule }) {
  const { projectId, configData, subscribedEvents, deviceClasses, dataSourceModules } = module;
  const isListening = subscribedEvents.length > 0;
  const body = { configData, subscribedEvents, deviceClasses, dataSourceModules };
  const replaying = useReplay(projectId, isListening ? body : undefined);
  return (
    <ReplayPanel
      {...{ projectId, deviceClasses, replaying, isListening }}
      canRun={isListening}
      isCompared={false}
      // What is saved is valid: there is nothing to say until its replay has begun.
      isBeingChecked={isListening}
    />
  );
}

interface ReplayPanelProps {
  projectId: string;
  deviceClasses: readonly string[];
  replaying: ReturnType<typeof useReplay>;
  /** False: the rule cannot be replayed as it is. */
  canRun: boolean;
  /** Whether it is compared with the saved rule. */
  isCompared: boolean;
  isBeingChecked: boolean;
  isListening: boolean;
}

/** What the rule would have done in the last 24 hours, compared with the saved rule if there is one. */
export function ReplayPanel(props: ReplayPanelProps) {
  const { projectId, deviceClasses, replaying, canRun, isCompared, isBeingChecked, isListening } = props;
  const { shown, error, isRunning, runAgain } = replaying;
  const { names } = useRuleNames(projectId, deviceClasses);
  const [kind, setKind] = useState<ReplayKind>();
  const replay = shown?.replay;
  return (
    <Panel
      title="Replay"
      note={replay && summaryText(replay)}
      flush
      action={
        <>
          {replay && isCompared && (
            <Chips
              label="Hits"
              single
              chips={chipsOf(replay)}
              chosen={kind ? [kind] : []}
              onChange={([next]) => setKind(next as ReplayKind)}
            />
          )}
          <Button
            variant="quiet"
            icon={<RotateIcon size={14} />}
            busy={isRunning}
            disabled={!canRun}
            onClick={runAgain}
          >
            Run again
          </Button>
        </>
      }
    >
      <ReplayBody
        {...{ shown, error, kind, isCompared, isListening, names }}
        isRunning={isRunning || isBeingChecked}
      />
    </Panel>
  );
}

interface ReplayBodyProps extends Pick<ReturnType<typeof useReplay>, 'shown' | 'error' | 'isRunning'> {
  kind: ReplayKind | undefined;
  isCompared: boolean;
  isListening: boolean;
  names: RuleNames | undefined;
}

/** A replay that fails leaves the previous one on screen, marked with its time. */
function ReplayBody({ shown, error, kind, isCompared, isRunning, isListening, names }: ReplayBodyProps) {
  if (!shown && !error) return <NoReplay isRunning={isRunning} isListening={isListening} />;
  return (
    <>
      {error && (
        <div className={css.error}>
          <FormError error={error} />
          {shown && <p>Below is the replay of {localTime(shown.at)}.</p>}
        </div>
      )}
      {shown?.replay.failure && <p className={css.none}>{shown.replay.failure}</p>}
      {shown && (
        <>
          <ReplayChart replay={shown.replay} isCompared={isCompared} />
          <ReplayTable replay={shown.replay} {...{ kind, isCompared, names }} />
        </>
      )}
    </>
  );
}

function NoReplay({ isRunning, isListening }: Pick<ReplayBodyProps, 'isRunning' | 'isListening'>) {
  if (isRunning)
    return (
      <div className={css.none}>
        <Skeleton lines={4} />
      </div>
    );
  return (
    <p className={css.none}>
      {isListening
        ? 'Once the condition is complete, this shows what it would have done in the last 24 hours.'
        : 'Choose which events the rule receives to see what it would have done in the last 24 hours.'}
    </p>
  );
}

function summaryText({ events, devices, ms, isCut, state }: RuleReplay): string {
  const many = `${numberText(events)}${isCut ? ' (the most)' : ''} ${events === 1 ? 'event' : 'events'}`;
  const of =
    events === 0 ? 'no events' : `${many} of ${numberText(devices)} ${devices === 1 ? 'device' : 'devices'}`;
  if (state === 'running') return `${of} so far`;
  return `last 24 h, ${of} in ${numberText(ms / 1000, 1)} s; no action was carried out`;
}

const chipsOf = ({ hits }: RuleReplay) => [
  { value: 'same', label: 'As before', count: numberText(hits.same) },
  { value: 'new', label: 'New', count: numberText(hits.new) },
  { value: 'gone', label: 'No longer', count: numberText(hits.gone) },
];
