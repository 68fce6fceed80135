import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { PhonePage } from '../phone/PhonePage.tsx';
import phoneCss from '../phone/phone.module.css';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { type RoleDraft, RoleFields, roleBody, roleDraft, roleFault } from './RoleFields.tsx';

/** Invites a person by e-mail, with a role below the user's own. */
export function InvitePage({ simulation, config, home }: ScreenProps) {
  const { navigation } = simulation;
  const { timeZone } = home.about;
  const form = useForm({
    initial: { email: '', draft: roleDraft(undefined, timeZone) },
    check: ({ draft }) => (roleFault(draft) ? { draft: 'GUEST_UNFIT' } : {}),
    submit: async ({ email, draft }) => {
      await home.invite({ email: email.trim(), ...roleBody(draft, config, timeZone) });
      simulation.noteHomeChange();
      toast('Invitation sent');
      navigation.back();
    },
  });
  const set = (draft: RoleDraft) => form.set('draft', draft);
  return (
    <PhonePage title="Invite" onBack={() => navigation.back()}>
      <form className={phoneCss.form} onSubmit={form.onSubmit} noValidate>
        <FormError error={form.error} />
        <TextField label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
        <RoleFields
          config={config}
          home={home}
          draft={form.values.draft}
          onChange={set}
          fault={form.field('draft').error && roleFault(form.values.draft)}
        />
        <div className={phoneCss.wide}>
          <Button type="submit" variant="primary" busy={form.saving}>
            Send invitation
          </Button>
        </div>
      </form>
    </PhonePage>
  );
}
