import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { LiveHome } from '#sdk/app.ts';
import type { Made } from './MadeDevice.tsx';
import css from './panels.module.css';

/** Creates a device for the home. */
export function ProvisionForm({ home, onMade }: { home: LiveHome; onMade: (made: Made) => void }) {
  const form = useForm({
    initial: { deviceClass: '', name: '' },
    check: ({ deviceClass }) => (deviceClass.trim() ? {} : { deviceClass: 'REQUIRED' }),
    submit: async ({ deviceClass, name }) => {
      const { device, apiKey } = await home.provision(deviceClass.trim(), name.trim() || undefined);
      onMade({ id: device.id, apiKey, homeName: home.about.name });
    },
  });
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
