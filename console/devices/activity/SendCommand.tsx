import { useId, useState } from 'react';
import { useCall, useRead } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { fieldsAgree, hasFields } from '#console/schema/SchemaFields.tsx';
import { schemaExample } from '#console/schema/schemaExample.ts';
import { jsonFault, parsedJson, textOfJson } from '#console/ui/code/jsonText.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { commandTtlDefaultS, sendCommand } from '#contract/command.ts';
import type { Device } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { eventNameMax, isEventName } from '#rules/eventNames.ts';
import { type ArgsView, CommandArgs } from './CommandArgs.tsx';

const ttls = [
  { value: '60', label: '1 minute' },
  { value: '3600', label: '1 hour' },
  { value: String(commandTtlDefaultS), label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/** Suggests the commands of the class, each with example arguments; any other command can be sent too. */
export function SendCommand({ device, onClose }: { device: Device; onClose: () => void }) {
  const names = useId();
  const { form, schemas, args, ...shown } = useCommandForm(device, onClose);
  const known = Object.keys(schemas);
  const argsSchema = schemaOf(schemas, form.values.name);
  const name = form.field('name');
  /** Keeps arguments that have been typed. */
  function choose(next: string) {
    if (!args.trim() || args === exampleText(argsSchema)) form.set('args', undefined);
    name.onChange(next);
  }
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
        hint={
          name.error
            ? 'Letters and digits, with single - or _ in between; must start with a letter.'
            : known.length > 0 && `Defined by the class: ${known.slice(0, 5).join(', ')}.`
        }
        {...name}
        onChange={choose}
      />
      <datalist id={names}>
        {known.map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <CommandArgs
        // Another command has other fields.
        key={argsSchema ? form.values.name.trim() : ''}
        schema={argsSchema}
        text={args}
        failure={form.failure}
        {...shown}
        field={{ ...form.field('args'), value: args }}
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

interface CommandValues {
  name: string;
  /** Undefined: untouched, so the example of the named command is shown. */
  args: string | undefined;
  ttlS: string;
}

function useCommandForm({ projectId, deviceClass, id: deviceId }: Device, onClose: () => void) {
  const { data: ofClass } = useRead(readDeviceClass, classInput(projectId, deviceClass));
  const schemas: Readonly<Record<string, unknown>> = ofClass?.commandSchemas ?? {};
  const send = useCall(sendCommand);
  // From the first attempt to send, every field shows its fault.
  const [isSent, setSent] = useState(false);
  const [view, setView] = useState<ArgsView>('fields');
  /** Derived instead of filled in: someone who types fast has named the command before its schema has loaded. */
  const argsOf = ({ name, args }: CommandValues) => args ?? exampleText(schemaOf(schemas, name));
  const form = useForm<CommandValues>({
    initial: { name: '', args: undefined, ttlS: String(commandTtlDefaultS) },
    check({ name, ...others }) {
      const args = argsOf({ name, ...others });
      return {
        ...(!name.trim() ? { name: 'REQUIRED' } : !isEventName(name.trim()) && { name: 'INVALID_FORMAT' }),
        ...(args.trim() && jsonFault(args) && { args: 'INVALID_JSON' }),
      };
    },
    async submit(values) {
      const { name, ttlS } = values;
      const args = argsOf(values);
      setSent(true);
      const schema = schemaOf(schemas, name);
      // Field faults are shown at their fields; for JSON, the server's answer says what is wrong, with the line.
      if (view === 'fields' && hasFields(schema) && !fieldsAgree(schema, args)) return;
      const given = args.trim() ? { args: parsedJson(args) } : {};
      const body = { name: name.trim(), ttlS: Number(ttlS), ...given };
      await send.mutateAsync({ params: { deviceId }, body });
      toast('Command sent');
      onClose();
    },
  });
  return { form, schemas, args: argsOf(form.values), isSent, view, onView: setView };
}

function schemaOf(schemas: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(schemas, name.trim()) ? schemas[name.trim()] : undefined;
}

function exampleText(schema: unknown): string {
  return hasFields(schema) ? textOfJson(schemaExample(schema)) : '';
}
