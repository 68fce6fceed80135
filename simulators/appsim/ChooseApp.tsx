import { type FormEvent, useState } from 'react';
import { AuthCard, authForm } from '#console/accounts/signIn/AuthCard.tsx';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { appsimUrl } from './address.ts';

/** Shown if the address names no app. */
export function ChooseApp() {
  const [projectId, setProjectId] = useState('');
  const [appId, setAppId] = useState('');
  const isComplete = projectId.trim() !== '' && appId.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isComplete) window.location.assign(appsimUrl({ projectId: projectId.trim(), appId: appId.trim() }));
  }
  const id = { mono: true, autoComplete: 'off', spellCheck: false };
  return (
    <AuthCard
      title="App simulator"
      sub="Simulates an end-user app in this window. Open it from an app in the console, or enter the app here."
    >
      <form className={authForm} onSubmit={submit}>
        <TextField
          label="Project id"
          hint="Or the public alias of the project."
          placeholder="prj_…"
          value={projectId}
          onChange={setProjectId}
          autoFocus
          {...id}
        />
        <TextField label="App id" value={appId} onChange={setAppId} {...id} />
        <Button type="submit" variant="primary" disabled={!isComplete}>
          Open app
        </Button>
      </form>
    </AuthCard>
  );
}
