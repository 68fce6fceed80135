import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { PasswordStrength } from '#console/ui/form/PasswordStrength.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import type { PasswordPolicy, Project } from '#contract/project.ts';
import { nameMax } from '#contract/shapes.ts';
import { createUser } from '#contract/user.ts';

type Start = 'invite' | 'password';

const empty = { email: '', name: '', start: 'invite' as Start, password: '', repeated: '' };

/** Creates an account for a user, who is invited to choose a password, or gets one that works at once. */
export function AddUser({ project, onClose }: { project: Project; onClose: () => void }) {
  const form = useAddForm(project.id);
  const { start, password } = form.values;
  return (
    <CreateDialog
      title="Add user"
      verb={start === 'invite' ? 'Send invitation' : 'Add user'}
      form={form}
      onClose={onClose}
    >
      <TextField label="E-mail" type="email" autoComplete="off" {...form.field('email')} />
      <TextField
        label="Name (optional)"
        autoComplete="off"
        dir="auto"
        maxLength={nameMax}
        {...form.field('name')}
      />
      <Choices
        label="First sign-in"
        value={start}
        onChange={value => form.set('start', value)}
        choices={project.restrictPasswordLogin ? [invite(true)] : [invite(false), withPassword]}
      />
      {start === 'password' && (
        <>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            hint={policyText(project.userPasswordPolicy)}
            {...form.field('password')}
          />
          {password && <PasswordStrength password={password} />}
          <PasswordField label="Repeat password" autoComplete="new-password" {...form.field('repeated')} />
        </>
      )}
    </CreateDialog>
  );
}

function useAddForm(projectId: string) {
  const navigate = useNavigate();
  const create = useCall(createUser);
  return useForm({
    initial: empty,
    check: ({ email, start, password, repeated }) => ({
      ...(email.trim() ? {} : { email: 'REQUIRED' }),
      ...(start === 'password' && password === '' && { password: 'REQUIRED' }),
      ...(start === 'password' && password !== repeated && { repeated: 'PASSWORDS_DIFFER' }),
    }),
    async submit({ email, name, start, password }) {
      const body = {
        projectId,
        email: email.trim(),
        ...(name.trim() && { name: name.trim() }),
        ...(start === 'password' && { password }),
      };
      const { id: userId } = await create.mutateAsync({ body });
      toast(start === 'invite' ? 'Invitation sent' : 'User added');
      const to = '/projects/$projectId/users/$userId';
      await navigate({ to, params: { projectId, userId }, hash: '', replace: true });
    },
  });
}

const invite = (noPasswords: boolean) => ({
  value: 'invite' as const,
  label: 'Invite by e-mail',
  hint: noPasswords
    ? 'They get an e-mail and sign in with one of your sign-in methods. Passwords are turned off in this project.'
    : 'They get an e-mail to choose their own password, which also verifies the address.',
});

const withPassword = {
  value: 'password' as const,
  label: 'Set a password',
  hint: 'They choose their own when they first sign in with it. The address counts as verified; no e-mail is sent.',
};

/** The project's password policy in words. */
function policyText(policy: PasswordPolicy | undefined): string | undefined {
  if (!policy) return undefined;
  const kinds = [
    policy.mustHaveUppercase && 'an uppercase letter',
    policy.mustHaveLowercase && 'a lowercase letter',
    policy.mustHaveNumber && 'a digit',
    policy.mustHaveNonAlphanum && 'another character',
  ].filter(Boolean);
  return `At least ${[`${policy.minLength} characters`, ...kinds].join(', ')}.`;
}
