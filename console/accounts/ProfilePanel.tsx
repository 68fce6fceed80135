import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { updateDeveloper } from '#console/core/session.ts';
import { Breakable } from '#console/ui/Breakable.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { type Developer, editDeveloper, personNameMax } from '#contract/account.ts';
import { reasons } from '#contract/problem.ts';
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
          ['E-mail', <Breakable key="email" text={email} />],
          ['Status', <Verified key="state" verified={verified} />],
          ['Projects', `up to ${maxProjects}, including the sample`],
          ['Id', <CopyText key="id" text={id} label="Copy id" />],
        ]}
      />
      <div role="status">
        {(mailSent || pendingEmail) && (
          <p className={css.pending}>
            {mailSent && 'A verification email has been sent to your new email address. '}
            {pendingEmail && (
              <>
                <b>{pendingEmail}</b> replaces the old one once you follow its link.
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

const words = { name: 'Name', email: 'E-mail' };

function ProfileForm({ developer, onMailSent, done }: ProfileFormProps) {
  const call = useCall(editDeveloper, { onDone: updateDeveloper });
  const edit = useEdit({
    row: developer,
    toForm: ({ name, email }) => ({ name, email }),
    words,
    check: ({ name, email }) => ({
      ...(!name.trim() && { name: 'REQUIRED' }),
      ...(!email.trim() && { email: 'REQUIRED' }),
    }),
    async send(body, ifMatch) {
      const saved = await call.mutateAsync({ params: { developerId: developer.id }, body, ifMatch });
      if (body.email !== undefined) onMailSent();
      return saved;
    },
    onDone(saved) {
      if (saved) toast('Profile saved');
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextField
        label="Name"
        autoComplete="name"
        autoFocus
        maxLength={personNameMax}
        {...edit.field('name')}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        readOnly={developer.sudoer !== undefined}
        hint={
          developer.sudoer
            ? reasons.NOT_IN_SUDO[1]
            : 'A new address takes effect when you follow the link sent to it.'
        }
        {...edit.field('email')}
      />
    </EditForm>
  );
}
