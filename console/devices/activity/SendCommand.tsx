import { useId } from 'react';
import { useCall, useRead } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { jsonFault, parsedJson, schemaMarks } from '#console/ui/code/jsonText.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { commandTtlDefaultS, sendCommand } from '#contract/command.ts';
import type { Device } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { eventNameMax, isEventName } from '#rules/eventNames.ts';

const ttls = [
  { value: '60', label: '1 minute' },
  { value: '3600', label: '1 hour' },
  { value: String(commandTtlDefaultS), label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/** Names that the class knows are offered; any other may be sent too. */
export function SendCommand({ device, onClose }: { device: Device; onClose: () => void }) {
  const names = useId();
  const { projectId, deviceClass, id: deviceId } = device;
  const { data: ofClass } = useRead(readDeviceClass, classInput(projectId, deviceClass));
  const send = useCall(sendCommand);
  const form = useForm({
    initial: { name: '', args: '', ttlS: String(commandTtlDefaultS) },
    check: ({ name, args }) => ({
      ...(!name.trim() ? { name: 'REQUIRED' } : !isEventName(name.trim()) && { name: 'INVALID_FORMAT' }),
      ...(args.trim() && jsonFault(args) && { args: 'INVALID_JSON' }),
    }),
    async submit({ name, args, ttlS }) {
      const given = args.trim() ? { args: parsedJson(args) } : {};
      const body = { name: name.trim(), ttlS: Number(ttlS), ...given };
      await send.mutateAsync({ params: { deviceId }, body });
      toast('Command sent');
      onClose();
    },
  });
  const known = Object.keys(ofClass?.commandSchemas ?? {});
  return (
    <CreateDialog title="Send command" form={form} onClose={onClose}>
      <TextField
        label="Name"
        mono
        list={names}
        maxLength={eventNameMax}
        autoComplete="off"
        spellCheck={false}
        placeholder="blink"
        hint={known.length > 0 ? `Defined by the class: ${known.slice(0, 5).join(', ')}.` : undefined}
        {...form.field('name')}
      />
      <datalist id={names}>
        {known.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <JsonField
        label="Arguments (optional)"
        lines={[4, 12]}
        marks={schemaMarks(form.failure, form.values.args)}
        {...form.field('args')}
      />
      <SelectField
        label="Expires after"
        hint={
          device.connectionStatus === 'connected'
            ? 'The device is connected and receives it immediately.'
            : 'The device is not connected. It receives the command when it connects, unless the command has expired by then.'
        }
        options={ttls}
        {...form.field('ttlS')}
      />
    </CreateDialog>
  );
}
