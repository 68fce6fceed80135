import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { fieldsAgree, hasFields } from '#console/devices/schema/SchemaFields.tsx';
import { statedValues } from '#console/devices/schema/statedValues.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { jsonFault, parsedJson, textOfJson } from '#console/ui/code/jsonText.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { firstControlIn } from '#console/ui/focus/controlOf.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { sendCommand } from '#contract/command.ts';
import type { Device } from '#contract/device.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { eventNameMax, isEventName } from '#rules/eventNames.ts';
import { commandTtlDefaultS } from '#rules/time/lifetimes.ts';
import css from './activity.module.css';
import { type ArgsView, CommandArgs } from './CommandArgs.tsx';

const ttls = [
  { value: '60', label: '1 minute' },
  { value: '3600', label: '1 hour' },
  { value: String(commandTtlDefaultS), label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/**
 * Suggests the commands of the class, each with fields for its arguments; any other command can be sent too. What is
 * sent is shown before, and Enter in the name leads to the arguments instead of sending.
 */
export function SendCommand({ device, onClose }: { device: Device; onClose: () => void }) {
  const names = useId();
  const { form, schemas, args, ...shown } = useCommandForm(device, onClose);
  const known = Object.keys(schemas);
  const argsSchema = schemaOf(schemas, form.values.name);
  const name = form.field('name');
  const { fields, isLeft, leave, stay } = useWayToArgs();
  /** Keeps arguments that have been typed. */
  function choose(next: string) {
    if (!args.trim() || args === statedText(argsSchema)) form.set('args', undefined);
    stay();
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
        placeholder={known.length > 0 ? `choose ${known.slice(0, 2).join(' or ')}` : undefined}
        hint={
          name.error
            ? 'Letters and digits, with single - or _ in between; must start with a letter.'
            : known.length > 0 && `Defined by the class: ${known.slice(0, 5).join(', ')}.`
        }
        {...name}
        onChange={choose}
        onKeyDown={leave}
      />
      <datalist id={names}>
        {known.map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div ref={fields} className={css.args}>
        <CommandArgs
          // Another command has other fields.
          key={argsSchema ? form.values.name.trim() : ''}
          schema={argsSchema}
          text={args}
          failure={form.failure}
          {...shown}
          takesFocus={isLeft}
          onSend={() => void form.send()}
          field={{ ...form.field('args'), value: args }}
        />
      </div>
      <SelectField label="Expires after" hint={arrivalOf(device)} options={ttls} {...form.field('ttlS')} />
    </CreateDialog>
  );
}

function arrivalOf({ connectionStatus }: Device): string {
  return connectionStatus === 'connected'
    ? 'The device is connected and receives it immediately.'
    : 'The device is not connected. It receives the command when it connects, unless the command has expired by then.';
}

interface CommandValues {
  name: string;
  /** Undefined: untouched, so what the schema of the named command states is shown. */
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
  const argsOf = ({ name, args }: CommandValues) => args ?? statedText(schemaOf(schemas, name));
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

function statedText(schema: unknown): string {
  return hasFields(schema) ? textOfJson(statedValues(schema)) : '';
}

/** Enter in the name focuses the first argument, at once or when it appears; typing on in the name takes that back. */
function useWayToArgs() {
  const fields = useRef<HTMLDivElement>(null);
  const [isLeft, setLeft] = useState(false);
  return {
    fields,
    isLeft,
    stay: () => setLeft(false),
    leave(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
      event.preventDefault();
      setLeft(true);
      firstControlIn(fields.current)?.focus();
    },
  };
}
