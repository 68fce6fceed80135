import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { PhonePage } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { AppSimulation, Config } from '../simulation.ts';
import { AccountButton } from './AccountButton.tsx';
import { Invitations } from './Invitations.tsx';

interface NewHomePageProps {
  simulation: AppSimulation;
  config: Config;
  /** True: there is no home yet, so there is no page to go back to. */
  isFirst?: boolean;
}

export function NewHomePage({ simulation, config, isFirst = false }: NewHomePageProps) {
  const { app, navigation } = simulation;
  const user = useStore(simulation.user);
  const form = useForm({
    initial: { name: isFirst ? 'My home' : '' },
    submit: async ({ name }) => {
      const { id } = await app.createHome(name.trim());
      await simulation.readHomes(id);
      navigation.show('home');
    },
  });
  return (
    <PhonePage
      title={isFirst ? 'Your first home' : 'New home'}
      onBack={isFirst ? undefined : () => navigation.back()}
      action={isFirst && user && <AccountButton simulation={simulation} user={user} />}
    >
      {isFirst && <Invitations simulation={simulation} />}
      {config.homeCreation ? (
        <form className={css.form} onSubmit={form.onSubmit} noValidate>
          {isFirst && (
            <p className={css.quiet}>A home is where your devices are. You can share it with others later.</p>
          )}
          <FormError error={form.error} />
          <TextField label="Name" autoComplete="off" {...form.field('name')} />
          <div className={css.wide}>
            <Button type="submit" variant="primary" busy={form.saving}>
              Create home
            </Button>
          </div>
        </form>
      ) : (
        <p className={css.quiet}>
          {isFirst ? 'You have no home yet. ' : ''}In this project, homes are created for you.
        </p>
      )}
    </PhonePage>
  );
}
