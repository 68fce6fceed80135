import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { CodeBlock } from '#console/modules/runs/CodeBlock.tsx';
import { ExplanationSteps, isSentence, verdictText } from '#console/modules/why/ExplanationSteps.tsx';
import { isHeardBy } from '#console/modules/why/isHeardBy.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { localTime } from '#console/ui/logs/localTime.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { explainModule, listModuleEvents } from '#contract/moduleRun.ts';
import css from './rule.module.css';

interface LastEventProps {
  projectId: string;
  /** Set for a saved rule: its evaluation of the event is shown. */
  moduleId?: string;
  listens: { subscribedEvents: readonly string[]; deviceClasses: readonly string[] };
  /** True: the form has unsaved changes. */
  isDirty: boolean;
}

const offeredMax = 12;
const refetchMs = 10_000;

/** The latest event that the rule receives, with the evaluation of each part of its condition. */
export function LastEvent({ projectId, moduleId, listens, isDirty }: LastEventProps) {
  const [chosen, setChosen] = useState<string>();
  const [only] = listens.deviceClasses.length === 1 ? listens.deviceClasses : [];
  const read = useRead(
    listModuleEvents,
    { params: { projectId }, query: only === undefined ? {} : { deviceClass: only } },
    { refetchInterval: refetchMs },
  );
  const heard = read.data?.filter(event => isHeardBy(listens, event)) ?? [];
  const hearsNothing = listens.subscribedEvents.length === 0;
  const event = heard.find(({ id }) => id === chosen) ?? heard[0];
  const who = event && (event.device.name || event.device.tag || event.deviceId);
  return (
    <Panel
      title="Last event"
      note={event && <span dir="auto">{`${who}, ${localTime(event.ts).slice(0, 8)}`}</span>}
      action={
        heard.length > 1 && (
          <Menu
            label="Choose another event"
            trigger="Choose"
            triggerClass={buttonClass('quiet')}
            items={heard.slice(0, offeredMax).map(one => ({
              label: `${one.name} · ${one.device.name || one.device.tag || one.deviceId} · ${localTime(one.ts)}`,
              run: () => setChosen(one.id),
            }))}
          />
        )
      }
    >
      {!hearsNothing && <ReadState read={read} what="The events" skeleton={<WaitingEvent />} />}
      {(read.data || hearsNothing) && !event && (
        <p className={css.quiet}>
          {hearsNothing
            ? 'Choose which events the rule receives; the latest one is then shown here.'
            : 'None of these events has occurred recently.'}
        </p>
      )}
      {event && moduleId === undefined && (
        <CodeBlock title={event.name} text={JSON.stringify(event.payload, null, 2)} />
      )}
      {event && moduleId !== undefined && (
        <Explained
          key={event.id}
          projectId={projectId}
          moduleId={moduleId}
          eventId={event.id}
          isDirty={isDirty}
        />
      )}
    </Panel>
  );
}

function Explained(props: { projectId: string; moduleId: string; eventId: string; isDirty: boolean }) {
  const { projectId, moduleId, eventId, isDirty } = props;
  const read = useRead(explainModule, { params: { projectId, moduleId }, query: { eventId } });
  if (!read.data) return <ReadState read={read} what="The explanation" skeleton={<WaitingEvent />} />;
  const { event, hit, saw, steps } = read.data;
  // An event older than the rule was never evaluated, which would make a rule just created look wrong.
  const isOlder = steps.some(({ isOk, what }) => !isOk && what.startsWith('It happened before'));
  if (isOlder)
    return (
      <div className={css.explained}>
        <CodeBlock title={event.name} text={seenText(event.payload, saw)} />
        <p className={css.quiet}>
          It happened before the rule was created or resumed. The rule acts only on later events.
        </p>
      </div>
    );
  return (
    <div className={css.explained}>
      <CodeBlock title={event.name} text={seenText(event.payload, saw)} />
      <ExplanationSteps steps={steps.filter(({ isOk, what }) => !isOk || !isSentence(what))} />
      <p data-hit={hit || undefined}>
        <b>{verdictText(read.data)}</b> {hit ? 'All parts are true.' : ''}
        {isDirty && ' By the saved rule.'}
      </p>
    </div>
  );
}

const WaitingEvent = () => (
  <div className={css.waiting}>
    <Skeleton lines={6} />
  </div>
);

/** The payload and the state, each starting on its own line. */
function seenText(payload: unknown, saw: Record<string, unknown> | undefined): string {
  const parts = { 'event.payload': payload, ...(saw?.state !== undefined && { state: saw.state }) };
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${JSON.stringify(value, null, 2)}`)
    .join('\n');
}
