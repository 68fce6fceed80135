import { type FormEvent, useState } from 'react';
import { AuthCard, authForm } from '#console/accounts/signIn/AuthCard.tsx';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { Credentials } from './credentials.ts';

/** Shown if the address names no device. */
export function SignIn({ onBegin }: { onBegin: (credentials: Credentials) => void }) {
  const [deviceId, setDeviceId] = useState('');
  const [apiKey, setApiKey] = useState('');
  const isComplete = deviceId.trim() !== '' && apiKey.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isComplete) onBegin({ deviceId: deviceId.trim(), apiKey: apiKey.trim(), onboard: false });
  }
  return (
    <AuthCard
      title="Device simulator"
      sub="Simulates a device in this window. Open it from a device in the console, or enter the device here."
    >
      <form className={authForm} onSubmit={submit}>
        <TextField
          label="Device id"
          value={deviceId}
          onChange={setDeviceId}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="dev_…"
          autoFocus
        />
        <TextField
          label="API key"
          hint="The device’s API key or a temporary key. It stays in this tab."
          type="password"
          value={apiKey}
          onChange={setApiKey}
          mono
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="primary" disabled={!isComplete}>
          Connect
        </Button>
      </form>
    </AuthCard>
  );
}
