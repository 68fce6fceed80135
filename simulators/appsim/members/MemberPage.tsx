import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { MyHomeMember } from '#contract/appApi/home.ts';
import { nameOfUser } from '../nameOfUser.ts';
import { PhonePage } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { useAct } from '../useAct.ts';
import { useConfirm } from '../useConfirm.ts';
import { RoleFields, roleBody, roleDraft, roleFault } from './RoleFields.tsx';
import { useMembers } from './useMembers.ts';

/** A member's role, and the button to remove them. */
export function MemberPage({ userId, ...props }: ScreenProps & { userId: string }) {
  const { simulation, home } = props;
  const { data } = useMembers(simulation, home);
  const member = data?.find(one => one.userId === userId);
  return (
    <PhonePage title={member ? nameOfUser(member) : 'Member'} onBack={() => simulation.navigation.back()}>
      {data ? (
        member ? (
          <MemberForm key={member.revision} {...props} member={member} />
        ) : (
          <p className={phoneCss.quiet}>This person is no longer a member of the home.</p>
        )
      ) : (
        <Skeleton lines={3} />
      )}
    </PhonePage>
  );
}

function MemberForm({ simulation, config, home, member }: ScreenProps & { member: MyHomeMember }) {
  const { navigation, app } = simulation;
  const { timeZone } = home.about;
  const { userId, role, guest, revision } = member;
  const act = useAct();
  const { asked, press } = useConfirm();
  const form = useForm({
    initial: { draft: roleDraft({ role: role === 'owner' ? 'admin' : role, guest }, timeZone) },
    check: ({ draft }) => (roleFault(draft) ? { draft: 'GUEST_UNFIT' } : {}),
    submit: async ({ draft }) => {
      const params = { homeId: home.id, userId };
      await app.call('editMyHomeMember', {
        params,
        ifMatch: revision,
        body: roleBody(draft, config, timeZone),
      });
      simulation.noteHomeChange();
      toast('Role changed');
      navigation.back();
    },
  });
  const remove = async () => {
    await home.removeMember(userId);
    simulation.noteHomeChange();
    navigation.back();
  };
  return (
    <form className={phoneCss.form} onSubmit={form.onSubmit} noValidate>
      <FormError error={form.error ?? act.error} />
      <RoleFields
        config={config}
        home={home}
        draft={form.values.draft}
        onChange={draft => form.set('draft', draft)}
        fault={form.field('draft').error && roleFault(form.values.draft)}
      />
      <div className={phoneCss.wide}>
        {config.accessControl === 'roles' && (
          <Button type="submit" variant="primary" busy={form.saving} disabled={!form.dirty}>
            Change role
          </Button>
        )}
        <Button
          variant={asked ? 'danger' : 'plain'}
          busy={act.busy !== undefined}
          onClick={() => press('remove', () => void act.run('remove', remove))}
        >
          {asked ? 'Remove from the home now' : 'Remove from home'}
        </Button>
      </div>
    </form>
  );
}
