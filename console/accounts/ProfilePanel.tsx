import { useState } from 'react';
import { useCall } from '#console/api.ts';
import { updateDeveloper } from '#console/session.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FormError } from '#console/ui/FormError.tsx';
import { LeaveGuard } from '#console/ui/LeaveGuard.tsx';
import { Facts, Panel, PanelFooter, panelForm } from '#console/ui/Panel.tsx';
import { StatePill } from '#console/ui/StatePill.tsx';
import { TextField } from '#console/ui/TextField.tsx';
import { toast } from '#console/ui/Toast.tsx';
import { useForm } from '#console/ui/useForm.ts';
import { type Developer, editDeveloper } from '#contract/account.ts';
import css from './accounts.module.css';

export function ProfilePanel({ developer }: { developer: Developer }) {
  const [mailSent, setMailSent] = useState(false);
  const { name, email, id, verified, pendingEmail, maxProjects } = developer;
  return (
    <Panel
      title="Profile"
      editKey
      edit={done => <ProfileForm developer={developer} onMailSent={() => setMailSent(true)} done={done} />}
    >
      <Facts
        facts={[
          ['Name', name],
          ['E-mail', email],
          ['State', <Verified key="state" verified={verified} />],
          ['Projects', `up to ${maxProjects}, the sample counted`],
          ['Id', <CopyText key="id" text={id} label="Copy id" />],
        ]}
      />
      <div role="status">
        {(mailSent || pendingEmail) && (
          <p className={css.pending}>
            {mailSent && 'A verification email has been sent to your new email address. '}
            {pendingEmail && (
              <>
                <b>{pendingEmail}</b> takes the place of the old one once its link is followed.
              </>
            )}
          </p>
        )}
      </div>
    </Panel>
  );
}

function Verified({ verified }: { verified: boolean }) {
  return (
    <StatePill shape="plain" tone={verified ? 'ok' : 'warn'} word={verified ? 'Verified' : 'Not verified'} />
  );
}

interface ProfileFormProps {
  developer: Developer;
  onMailSent: () => void;
  done: () => void;
}

function ProfileForm({ developer, onMailSent, done }: ProfileFormProps) {
  const edit = useCall(editDeveloper);
  // What the form started from: a refetch meanwhile must not make a stale form look fresh.
  const [start] = useState(developer);
  const form = useForm({
    initial: { name: start.name, email: start.email },
    check: ({ name, email }) => ({
      ...(!name.trim() && { name: 'REQUIRED' }),
      ...(!email.trim() && { email: 'REQUIRED' }),
    }),
    async submit(_, changed) {
      if (Object.keys(changed).length === 0) return done();
      const params = { developerId: start.id };
      updateDeveloper(await edit.mutateAsync({ params, body: changed, ifMatch: start.revision }));
      if (changed.email !== undefined) onMailSent();
      toast('Profile saved');
      done();
    },
  });
  return (
    <form onSubmit={form.onSubmit} className={panelForm} noValidate>
      <LeaveGuard dirty={form.dirty && !form.saving} />
      <FormError error={form.error} />
      <TextField label="Name" autoComplete="name" autoFocus maxLength={100} {...form.field('name')} />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        hint="A new address holds once the link sent to it is followed."
        {...form.field('email')}
      />
      <PanelFooter saving={form.saving} onCancel={done} />
    </form>
  );
}
