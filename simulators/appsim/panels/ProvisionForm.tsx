import { useState } from 'react';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { LiveHome } from '#sdk/app.ts';
import css from './panels.module.css';

/** Creates a device for the home. Its id and key are passed to the hardware, or to the device simulator. */
export function ProvisionForm({ home }: { home: LiveHome }) {
  const [made, setMade] = useState<{ id: string; apiKey: string; homeName: string }>();
  const form = useForm({
    initial: { deviceClass: '', name: '' },
    check: ({ deviceClass }) => (deviceClass.trim() ? {} : { deviceClass: 'REQUIRED' }),
    submit: async ({ deviceClass, name }) => {
      const { device, apiKey } = await home.provision(deviceClass.trim(), name.trim() || undefined);
      setMade({ id: device.id, apiKey, homeName: home.about.name });
    },
  });
  if (made)
    return (
      <div className={css.form}>
        <p className={css.quiet}>
          The device is in {made.homeName}. Pass its id and key to the hardware; the key is not shown again.
        </p>
        <CopyText text={made.id} label="Copy device id" />
        <CopyText text={made.apiKey} shown="•••• key" label="Copy key" />
        <div className={css.line}>
          <a
            className={buttonClass('primary')}
            href={`/devicesim/?${new URLSearchParams({ deviceId: made.id, apiKey: made.apiKey })}`}
            target="_blank"
            rel="noopener"
          >
            Simulate it
          </a>
          <Button onClick={() => setMade(undefined)}>Done</Button>
        </div>
      </div>
    );
  return (
    <form className={css.form} onSubmit={form.onSubmit} noValidate>
      <FormError error={form.error} />
      <TextField
        label="Device class"
        hint="The id of the class, as your app would know it."
        mono
        autoComplete="off"
        spellCheck={false}
        {...form.field('deviceClass')}
      />
      <TextField label="Name" aside="optional" autoComplete="off" {...form.field('name')} />
      <div className={css.line}>
        <Button type="submit" variant="primary" busy={form.saving}>
          Create device
        </Button>
      </div>
    </form>
  );
}
