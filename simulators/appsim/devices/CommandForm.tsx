import { type FormEvent, useState } from 'react';
import { fieldsAgree, hasFields, SchemaFields } from '#console/devices/schema/SchemaFields.tsx';
import { statedValues } from '#console/devices/schema/statedValues.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { CallFailed } from '#contract/client.ts';
import { CommandFailed, type Json, type LiveDevice } from '#sdk/app.ts';
import { type AppSimulation, failureOf } from '../simulation.ts';
import css from './devices.module.css';
import { nameOfDevice } from './nameOfDevice.ts';

interface CommandFormProps {
  simulation: AppSimulation;
  device: LiveDevice;
  name: string;
  schema: unknown;
}

const noFaults: ReadonlyMap<string, string> = new Map();

/** A command with a field for each argument, and the device's answer. */
export function CommandForm({ simulation, device, name, schema }: CommandFormProps) {
  const [text, setText] = useState(() => JSON.stringify(statedValues(schema)));
  const [isSent, setSent] = useState(false);
  const { busy, answer, failure, send } = useSending({ simulation, device, name });

  function submit(event: FormEvent) {
    event.preventDefault();
    setSent(true);
    if (fieldsAgree(schema, text)) void send(JSON.parse(text) as Json);
  }
  return (
    <details className={css.command}>
      <summary>{name}</summary>
      <form onSubmit={submit} noValidate>
        <FormError error={failure} />
        {hasFields(schema) && (
          <SchemaFields schema={schema} text={text} onChange={setText} faults={noFaults} isSent={isSent} />
        )}
        <Button type="submit" variant="primary" busy={busy}>
          Send
        </Button>
        <p role="status" className={css.answer} data-bad={answer?.isBad || undefined}>
          {answer?.text}
        </p>
      </form>
    </details>
  );
}

function useSending({ simulation, device, name }: Omit<CommandFormProps, 'schema'>) {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<{ text: string; isBad: boolean }>();
  const [failure, setFailure] = useState<CallFailed>();

  async function send(args: Json): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    setAnswer({ text: 'Sent. Waiting for the device…', isBad: false });
    simulation.wire.tap(`${name} to ${nameOfDevice(device.about)}`, device.id);
    try {
      const result = await device.send(name, args);
      setAnswer({ text: result === undefined ? 'Done.' : `Done: ${JSON.stringify(result)}`, isBad: false });
    } catch (error) {
      if (error instanceof CommandFailed) setAnswer({ text: error.message, isBad: true });
      else {
        setAnswer(undefined);
        setFailure(failureOf(error));
      }
    } finally {
      setBusy(false);
    }
  }
  return { busy, answer, failure, send };
}
