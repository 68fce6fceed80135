import { type ReactNode, useState } from 'react';
import { call } from '#console/core/client.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { CallFailed } from '#contract/client.ts';
import { createTemporaryKey, type Device, readDeviceKey } from '#contract/device.ts';
import type { AnswerOf } from '#contract/endpoint.ts';

interface KeyPanelProps {
  device: Device;
  /** Set once the key has been requested. */
  apiKey: string | undefined;
  onShow: (apiKey: string | undefined) => void;
}

type Temporary = AnswerOf<typeof createTemporaryKey>;

/** The key is masked until someone asks for it, and that request is recorded. */
export function KeyPanel({ device, apiKey, onShow }: KeyPanelProps) {
  const { id: deviceId, apiKeyReadable } = device;
  const mayRead = useMay(readDeviceKey);
  const [temporary, setTemporary] = useState<Temporary>();
  const work = useWork();
  const params = { deviceId };
  const readKey = async () => (await call(readDeviceKey, { params })).apiKey;
  const copyKey = mayRead && apiKeyReadable ? () => work.run('copy', readKey) : undefined;
  const makeTemporary = async () => setTemporary(await call(createTemporaryKey, { params }));

  return (
    <section aria-label="Key" className={css.key}>
      <div className={css.stack}>
        <FormError error={work.error} />
        <Facts
          facts={[
            [
              'API key',
              apiKey ? (
                <CopyText key="key" text={apiKey} wrap label="Copy API key" />
              ) : (
                <MaskedKey key="mask" end={device.apiKeyEnd} copyKey={copyKey} />
              ),
            ],
            ...furtherKeys(device, temporary),
          ]}
        />
        {!apiKeyReadable && (
          <p className={css.note}>
            Only a hash is stored: the key was shown once, and nobody can read it. Rotate it to get a new one.
          </p>
        )}
        {mayRead && (
          <div className={css.buttons}>
            {apiKeyReadable &&
              (apiKey ? (
                <Button onClick={() => onShow(undefined)}>Hide key</Button>
              ) : (
                <Button
                  busy={work.at === 'key'}
                  onClick={() => void work.run('key', async () => onShow(await readKey()))}
                >
                  Show key
                </Button>
              ))}
            <Button busy={work.at === 'temporary'} onClick={() => void work.run('temporary', makeTemporary)}>
              Temporary key
            </Button>
          </div>
        )}
        {mayRead && (
          <p className={css.note}>
            {apiKeyReadable && 'Viewing or copying the key is logged. '}A temporary key connects as this
            device for one hour.
          </p>
        )}
      </div>
    </section>
  );
}

interface MaskedKeyProps {
  end: string;
  /** Requests the key; absent if the member may not, or if the key is not readable. */
  copyKey: (() => Promise<string | undefined>) | undefined;
}

function MaskedKey({ end, copyKey }: MaskedKeyProps) {
  return (
    <span className={css.claim}>
      <code className={css.mask}>
        <span aria-hidden="true">••••••••</span>
        <span className="visuallyHidden">hidden, ends with </span>
        {end}
      </code>
      {copyKey && <CopyText text={copyKey} shown={null} label="Copy API key" />}
    </span>
  );
}

/** The previous key while it is still accepted, and the temporary key that was just created. */
function furtherKeys(
  { previousKeyUntil }: Device,
  temporary: Temporary | undefined,
): (readonly [string, ReactNode])[] {
  const facts: (readonly [string, ReactNode])[] = [];
  if (previousKeyUntil)
    facts.push([
      'Old key',
      <span key="old">
        works until <TimeAgo time={previousKeyUntil} ahead />
      </span>,
    ]);
  if (temporary)
    facts.push([
      'Temporary',
      <span key="temporary" className={css.stack}>
        <CopyText text={temporary.token} wrap label="Copy temporary key" />
        <span className={css.quiet}>
          stops <TimeAgo time={temporary.expirationTime} />
        </span>
      </span>,
    ]);
  return facts;
}

/** One call at a time, started by a button. */
function useWork() {
  const [at, setAt] = useState<string>();
  const [error, setError] = useState<CallFailed>();
  async function run<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    setAt(name);
    setError(undefined);
    try {
      return await work();
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
      return undefined;
    } finally {
      setAt(undefined);
    }
  }
  return { at, error, run };
}
