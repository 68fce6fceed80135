import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { localTime } from '#console/ui/logs/localTime.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { listModuleEvents } from '#contract/moduleRun.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { isHeardBy } from './isHeardBy.ts';
import css from './why.module.css';

const refetchMs = 10_000;

interface EventListProps {
  module: SmartModule;
  chosen: string | undefined;
  onChoose: (eventId: string) => void;
}

const scopes = [
  { value: 'heard', label: 'It receives' },
  { value: 'all', label: 'All' },
] as const;

/** The latest events of the project, to choose one from. */
export function EventList({ module, chosen, onChoose }: EventListProps) {
  const { projectId, subscribedEvents, deviceClasses } = module;
  const [url, change] = useUrlState();
  const scope = url.events === 'all' ? 'all' : 'heard';
  const only = scope === 'heard' && deviceClasses.length === 1 ? { deviceClass: deviceClasses[0] } : {};
  const name =
    scope === 'heard' && subscribedEvents.length === 1 && subscribedEvents[0] !== '*'
      ? { name: subscribedEvents[0] }
      : {};
  const read = useRead(
    listModuleEvents,
    { params: { projectId }, query: { ...only, ...name } },
    { refetchInterval: refetchMs },
  );
  const events = read.data?.filter(event => scope === 'all' || isHeardBy(module, event));
  return (
    <Panel
      title="Events"
      flush
      action={
        <Segments
          label="Events"
          options={scopes}
          chosen={scope}
          onChange={next => change({ events: next === 'all' ? next : undefined }, { replace: true })}
        />
      }
    >
      <ReadState read={read} what="The events" skeleton={<Skeleton shape="rows" lines={6} unsized />} />
      {events?.length === 0 && (
        <p className={css.none}>
          {scope === 'heard'
            ? 'No event that this module receives has occurred recently. To see others, choose “All”.'
            : 'No events have occurred recently.'}
        </p>
      )}
      <ul className={css.events}>
        {events?.map(event => (
          <li key={event.id}>
            <button type="button" aria-pressed={event.id === chosen} onClick={() => onChoose(event.id)}>
              <time dateTime={event.ts}>{localTime(event.ts)}</time>
              <code>{event.name}</code>
              <span dir="auto">{event.device.name || event.device.tag || event.deviceId}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
