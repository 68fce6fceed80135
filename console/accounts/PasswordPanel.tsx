import { useRead } from '#console/core/api.ts';
import { call, invalidate } from '#console/core/client.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { PasswordField } from '#console/ui/form/PasswordField.tsx';
import { PasswordStrength } from '#console/ui/form/PasswordStrength.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Panel, PanelFooter, panelForm } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { listAccessTokens } from '#contract/accessToken.ts';
import { changePassword, type Developer } from '#contract/account.ts';
import { reasons } from '#contract/problem.ts';
import css from './accounts.module.css';
import { newPasswordCode } from './newPasswordCode.ts';

export function PasswordPanel({ developer }: { developer: Developer }) {
  return (
    <Panel
      title="Password"
      editLabel="Change"
      edit={developer.sudoer ? undefined : done => <PasswordForm developer={developer} done={done} />}
    >
      <p className={css.muted}>
        {developer.sudoer ? reasons.NOT_IN_SUDO[1] : 'Changing it ends all your other sessions.'}
      </p>
    </Panel>
  );
}

function PasswordForm({ developer, done }: { developer: Developer; done: () => void }) {
  const { data: tokens } = useRead(listAccessTokens, { params: { developerId: developer.id } });
  const form = useForm({
    initial: { oldPassword: '', newPassword: '', revokeTokens: false },
    check: ({ oldPassword, newPassword }) => ({
      ...(!oldPassword && { oldPassword: 'REQUIRED' }),
      ...newPasswordCode('newPassword', newPassword),
    }),
    async submit(passwords) {
      const { orgId, email } = developer;
      await call(changePassword, { body: { orgId, email, ...passwords } });
      void invalidate(changePassword);
      toast('Password changed');
      done();
    },
  });
  return (
    <form onSubmit={form.onSubmit} className={panelForm} noValidate>
      <UnsavedChangesGuard dirty={form.dirty} saving={form.saving} />
      <FormError error={form.error} />
      <input type="hidden" name="username" autoComplete="username" value={developer.email} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        autoFocus
        {...form.field('oldPassword')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={<PasswordStrength password={form.values.newPassword} />}
        {...form.field('newPassword')}
      />
      {tokens && tokens.length > 0 && (
        <Checkbox
          label="Also revoke my access tokens"
          hint="Choose this if someone else may have had your password. Scripts that use the tokens stop working."
          checked={form.values.revokeTokens}
          onChange={revokeTokens => form.set('revokeTokens', revokeTokens)}
        />
      )}
      <PanelFooter saving={form.saving} onCancel={done} verb="Change password" />
    </form>
  );
}
