import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { PhonePage } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { useAct } from '../useAct.ts';
import { useConfirm } from '../useConfirm.ts';

/** Renames a home, leaves it, or deletes it. */
export function HomeSettingsPage({ simulation, home, user }: ScreenProps) {
  const { app, navigation } = simulation;
  const { id: homeId, about } = home;
  const form = useForm({
    initial: { name: about.name },
    submit: async ({ name }) => {
      await app.call('editMyHome', { params: { homeId }, body: { name: name.trim() } });
      await simulation.readHomes();
      await home.refresh();
      toast('Saved');
      navigation.back();
    },
  });
  return (
    <PhonePage title="Home" onBack={() => navigation.back()}>
      {about.rights.includes('configure') && (
        <form className={css.form} onSubmit={form.onSubmit} noValidate>
          <FormError error={form.error} />
          <TextField label="Name" autoComplete="off" {...form.field('name')} />
          <div className={css.wide}>
            <Button type="submit" variant="primary" busy={form.saving}>
              Save
            </Button>
          </div>
        </form>
      )}
      <p className={css.quiet}>
        Owned by {about.owner.name || 'someone'}, in the time zone {about.timeZone}.
      </p>
      <GoAway simulation={simulation} home={home} user={user} />
    </PhonePage>
  );
}

/** The button to delete the home (for its owner) or to leave it (for everybody else). */
function GoAway({ simulation, home, user }: Pick<ScreenProps, 'simulation' | 'home' | 'user'>) {
  const { app, navigation } = simulation;
  const { id: homeId, about } = home;
  const act = useAct();
  const { asked, press } = useConfirm();
  const gone = async () => {
    await simulation.readHomes();
    navigation.show('home');
  };
  const leave = async () => {
    await home.removeMember(user.id);
    await gone();
  };
  const remove = async () => {
    await app.call('deleteMyHome', { params: { homeId }, ifMatch: about.revision });
    await gone();
  };
  return (
    <>
      <FormError error={act.error} />
      <div className={css.wide}>
        {about.rights.includes('own') ? (
          <Button
            variant={asked === 'delete' ? 'danger' : 'plain'}
            busy={act.busy === 'delete'}
            onClick={() => press('delete', () => void act.run('delete', remove))}
          >
            {asked === 'delete' ? 'Delete and release its devices' : 'Delete home'}
          </Button>
        ) : (
          <Button
            variant={asked === 'leave' ? 'danger' : 'plain'}
            busy={act.busy === 'leave'}
            onClick={() => press('leave', () => void act.run('leave', leave))}
          >
            {asked === 'leave' ? 'Leave for good' : 'Leave home'}
          </Button>
        )}
      </div>
    </>
  );
}
