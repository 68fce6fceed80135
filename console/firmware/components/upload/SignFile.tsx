import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { FileField } from '#console/ui/form/FileField.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { panelForm } from '#console/ui/screen/Panel.tsx';
import type { Component } from '#contract/component.ts';
import type { Signature } from '#contract/componentVersion.ts';
import { type SignedVersion, signedVersion } from '#rules/firmware/signedVersion.ts';
import { shellQuoted } from '#rules/shell/shellQuoted.ts';
import { checkSignature } from './checkSignature.ts';
import { signatureIn } from './signatureIn.ts';
import css from './upload.module.css';
import type { UploadRefusal } from './uploadRefusal.ts';

export interface Signing extends SignedVersion {
  keys: Component['signingKeys'];
}

interface SignFileProps {
  signing: Signing;
  refusal: UploadRefusal | undefined;
  onSign: (signature: Signature) => void;
}

/**
 * Once the checksum is known: the text to sign elsewhere with a key of the developer, and a field for the signature.
 */
export function SignFile({ signing: { keys, ...signed }, refusal, onSign }: SignFileProps) {
  const text = signedVersion(signed);
  const form = useForm({
    initial: { keyId: keys[0]?.id ?? '', value: '' },
    check: ({ value }) => (/^[A-Za-z0-9+/]{86}==$/.test(value.trim()) ? {} : { value: 'INVALID_FORMAT' }),
    async submit({ keyId, value }) {
      const signature = { keyId, value: value.trim() };
      const key = keys.find(({ id }) => id === keyId);
      await checkSignature(key?.publicKey ?? '', signature.value, text);
      onSign(signature);
    },
  });
  const [file, setFile] = useState<File>();
  async function take(chosen: File | undefined) {
    setFile(chosen);
    if (chosen) form.set('value', await signatureIn(chosen));
  }
  return (
    <div className={css.sign}>
      <p>
        <b>Sign the file.</b> Versions of this component need a signature. Sign exactly this text with your
        private key; it holds the checksum that was just computed:
      </p>
      <CodeSample label="Text to sign" text={text} />
      <CodeSample label="How to sign it" text={commandFor(text)} />
      <form onSubmit={form.onSubmit} className={panelForm} noValidate>
        {keys.length > 1 && (
          <SelectField
            label="Key"
            options={keys.map(({ id }) => ({ value: id, label: id }))}
            {...form.field('keyId')}
          />
        )}
        <TextField
          label="Signature"
          mono
          autoComplete="off"
          spellCheck={false}
          hint="64 bytes in base64."
          {...form.field('value')}
          error={form.field('value').error ?? (refusal?.kind === 'refused' ? refusal.reason : undefined)}
        />
        <FileField
          label="Or a file with the signature"
          hint="The output of the command above, or the raw 64 bytes."
          value={file}
          onChange={chosen => void take(chosen)}
        />
        <div>
          <Button type="submit" variant="primary" busy={form.saving}>
            Publish signed version
          </Button>
        </div>
      </form>
    </div>
  );
}

const commandFor = (text: string) =>
  `printf %s ${shellQuoted(text)} > version.json
openssl pkeyutl -sign -rawin -inkey key.pem -in version.json | base64 -w 0`;
