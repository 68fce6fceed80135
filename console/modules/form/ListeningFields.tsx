import { useRead } from '#console/core/api.ts';
import { useSuggestions } from '#console/modules/config/useSuggestions.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import { platformEvents } from '#contract/moduleRun.ts';
import { allEvents, parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import css from './form.module.css';
import type { ModuleForm } from './ModuleForm.ts';

const offeredMax = 10;

/** Which events of which devices the module receives. */
export function ListeningFields({ projectId, form }: { projectId: string; form: ModuleForm }) {
  const { values, set } = form;
  const { events, isPending } = useSuggestions(projectId, values.deviceClasses);
  const { data: classes } = useRead(listDeviceClasses, { params: { projectId }, query: { limit: 100 } });
  const { names, faults } = parseSubscribedEvents(values.subscribedEvents);
  const has = new Set(names.map(name => name.toLowerCase()));
  const offered = names.includes(allEvents)
    ? []
    : events.filter(name => !has.has(name.toLowerCase())).slice(0, offeredMax);
  const ids = [...new Set([...(classes?.items.map(({ id }) => id) ?? []), ...values.deviceClasses])];
  const add = (name: string) =>
    set('subscribedEvents', [values.subscribedEvents.trim(), name].filter(Boolean).join('\n'));
  return (
    <div className={css.fields}>
      <div className={css.offering}>
        <TextArea
          label="Subscribed events"
          mono
          rows={Math.min(8, Math.max(2, values.subscribedEvents.split('\n').length))}
          spellCheck={false}
          keepsHint
          hint={faults.length > 0 ? eventFaultText(faults) : listeningHint}
          {...form.field('subscribedEvents')}
        />
        {offered.length > 0 && (
          <ul
            className={css.offered}
            data-waiting={isPending || undefined}
            aria-label="Events to subscribe to"
          >
            {offered.map(name => (
              <li key={name}>
                <Button
                  variant="quiet"
                  icon={<PlusIcon size={12} />}
                  title={platformEvents[name as keyof typeof platformEvents] ?? 'Sent by devices.'}
                  onClick={() => add(name)}
                >
                  <code>{name}</code>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={css.group}>
        <span className={css.label}>Device classes</span>
        {!classes && ids.length === 0 && <div className={css.place} />}
        {ids.length > 0 && <ClassChips ids={ids} form={form} />}
        <p className={css.hint}>
          {values.deviceClasses.length === 0
            ? 'Devices of all classes, if none is chosen.'
            : 'Only devices of these classes.'}
        </p>
      </div>
    </div>
  );
}

function ClassChips({ ids, form: { values, set } }: { ids: readonly string[]; form: ModuleForm }) {
  return (
    <Chips
      label="Device classes"
      chips={ids.map(id => ({ value: id, label: id }))}
      chosen={values.deviceClasses}
      onChange={chosen => set('deviceClasses', chosen)}
    />
  );
}

const listeningHint = (
  <>
    Separated by spaces or line breaks. <code>*</code> alone means all; empty means none.
  </>
);

const shownMax = 5;

function eventFaultText(faults: readonly string[]): string {
  if (faults.includes(allEvents)) return '* already means all events. Remove it, or remove the other names.';
  const names = faults.slice(0, shownMax).map(name => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  const rest = faults.length > shownMax ? ` and ${faults.length - shownMax} more` : '';
  return `Not an event name: ${names.join(', ')}${rest}. Use letters and digits, with single - or _ between.`;
}
