import type { ReactNode } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Dot, StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { LiveDevice } from '#sdk/app.ts';
import { PhonePage } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { AppSimulation } from '../simulation.ts';
import { useAct } from '../useAct.ts';
import { useConfirm } from '../useConfirm.ts';
import { CommandForm } from './CommandForm.tsx';
import { type DeviceField, fieldText } from './deviceFields.ts';
import css from './devices.module.css';
import { FieldControl } from './FieldControl.tsx';
import { FirmwareCard } from './FirmwareCard.tsx';
import { nameOfDevice } from './nameOfDevice.ts';
import { useDevice } from './useDevice.ts';

interface DevicePageProps {
  simulation: AppSimulation;
  device: LiveDevice;
}

/** A whole device: what it reports, what can be set, and the commands that its class describes. */
export function DevicePage({ simulation, device }: DevicePageProps) {
  const { fields, deviceClass, mayControl, set, error } = useDevice(simulation, device);
  const { about } = device;
  const commands = Object.entries(deviceClass?.commandSchemas ?? {});
  return (
    <PhonePage title={nameOfDevice(about)} onBack={() => simulation.navigation.back()}>
      <p>
        <StatePill
          shape="plain"
          tone={device.isConnected ? 'ok' : 'off'}
          word={connectionWords(device)}
          detail={
            <>
              {about.since && <TimeAgo time={about.since} />}
              {about.suspended && ' suspended'}
            </>
          }
        />
      </p>
      <FormError error={error} />
      {!mayControl && <p className={css.quiet}>You can view this device, but not control it.</p>}
      {fields.length === 0 && <p className={css.quiet}>It has not reported anything yet.</p>}
      <ul className={css.fields} aria-label="State">
        {fields.map(field => (
          <Field key={field.name} field={field}>
            <FieldControl field={field} disabled={!mayControl} onSet={value => set(field, value)} />
          </Field>
        ))}
      </ul>
      {commands.length > 0 && mayControl && <h3 className={css.heading}>Commands</h3>}
      {mayControl &&
        commands.map(([name, schema]) => (
          <CommandForm key={name} simulation={simulation} device={device} name={name} schema={schema} />
        ))}
      <FirmwareCard device={device} />
      {about.rights.includes('configure') && <Configure simulation={simulation} device={device} />}
    </PhonePage>
  );
}

function connectionWords({ about: { connectionStatus } }: LiveDevice): string {
  if (connectionStatus === 'connected') return 'Connected';
  return connectionStatus === 'never' ? 'Never connected' : 'Offline';
}

function Field({ field, children }: { field: DeviceField; children: ReactNode }) {
  const { title, isPending, reported, control } = field;
  return (
    <li className={css.field}>
      <span className={css.fieldWords}>
        {title}
        {isPending && (
          <small>
            <Dot tone="warn" /> reported: {fieldText(field, reported)}
          </small>
        )}
        {!isPending && control === 'none' && field.schema.readOnly === true && <small>measured</small>}
      </span>
      {children}
    </li>
  );
}

function Configure({ simulation, device }: DevicePageProps) {
  const act = useAct();
  const { asked, press } = useConfirm();
  const form = useForm({
    initial: { name: device.about.name },
    submit: async ({ name }) => {
      await device.rename(name.trim());
      toast('Renamed');
    },
  });
  const release = async () => {
    const { claimCode } = await device.release();
    simulation.navigation.back();
    toast(`Released. Its new claim code is ${claimCode}.`);
  };
  return (
    <>
      <h3 className={css.heading}>Name</h3>
      <form className={phoneCss.form} onSubmit={form.onSubmit} noValidate>
        <FormError error={form.error ?? act.error} />
        <TextField label="Name" autoComplete="off" {...form.field('name')} />
        <div className={phoneCss.wide}>
          <Button type="submit" busy={form.saving} disabled={!form.dirty}>
            Rename
          </Button>
          <Button
            variant={asked ? 'danger' : 'plain'}
            busy={act.busy !== undefined}
            onClick={() => press('release', () => void act.run('release', release))}
          >
            {asked ? 'Release and wipe its data' : 'Release device'}
          </Button>
        </div>
      </form>
    </>
  );
}
