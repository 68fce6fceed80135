import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { ofOwn } from '#console/core/session.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { SecretOnce } from '#console/ui/edit/SecretOnce.tsx';
import { dayField, endOfDay, inDays } from '#console/ui/fields/dayField.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Choices } from '#console/ui/list/Choices.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import {
  accessTokenNameMax,
  createAccessToken,
  tokenDaysMax,
  tokenProjectsMax,
  tokenScopeSentences,
} from '#contract/accessToken.ts';
import type { Developer } from '#contract/account.ts';
import { type AnswerOf, tokenScopes } from '#contract/endpoint.ts';
import { listProjects } from '#contract/project.ts';
import { ProjectChoice } from './ProjectChoice.tsx';
import { scopeWords } from './scopeWords.ts';

type Created = AnswerOf<typeof createAccessToken>;

const onDate = 'date';
const ends = [
  ...[30, 90, 365].map(days => ({ value: String(days), label: `In ${days} days` })),
  { value: onDate, label: 'On a date' },
];

interface NewAccessTokenProps {
  developer: Developer;
  onClose: () => void;
}

/** Asks for the token's purpose, then shows the token only this once. */
export function NewAccessToken({ developer, onClose }: NewAccessTokenProps) {
  const [created, setCreated] = useState<Created>();
  const { data: projects } = useRead(listProjects, { query: { ...ofOwn(), limit: tokenProjectsMax } });
  const form = useTokenForm(developer.id, setCreated);
  if (created) return <Shown created={created} onClose={onClose} />;
  const { values, set, field } = form;
  return (
    <CreateDialog title="Create access token" verb="Create token" form={form} onClose={onClose}>
      <TextField
        label="Name"
        hint="What uses the token, such as “Build server”."
        autoFocus
        maxLength={accessTokenNameMax}
        {...field('name')}
      />
      <Choices
        label="Scope"
        value={values.scope}
        onChange={scope => set('scope', scope)}
        choices={tokenScopes.map(scope => ({
          value: scope,
          label: scopeWords[scope],
          hint: tokenScopeSentences[scope],
        }))}
      />
      <ProjectChoice
        projects={projects?.items ?? []}
        all={values.reach === 'all'}
        onAll={all => set('reach', all ? 'all' : 'chosen')}
        chosen={values.projectIds}
        onChoose={chosen => set('projectIds', chosen)}
        error={field('projectIds').error}
      />
      <SelectField label="Expires" options={ends} {...field('ends')} />
      {values.ends === onDate && (
        <TextField
          label="Expiry date"
          type="date"
          min={dayField(inDays(1))}
          max={dayField(inDays(tokenDaysMax))}
          hint="A day after today, at most one year from now."
          keepsHint
          {...field('expiresAt')}
        />
      )}
    </CreateDialog>
  );
}

function useTokenForm(developerId: string, onCreated: (created: Created) => void) {
  const create = useCall(createAccessToken);
  return useForm({
    initial: {
      name: '',
      scope: 'read' as Created['scope'],
      reach: 'all',
      projectIds: [] as readonly string[],
      ends: '90',
      expiresAt: '',
    },
    check: ({ name, reach, projectIds, ends, expiresAt }) => ({
      ...(!name.trim() && { name: 'REQUIRED' }),
      ...(reach !== 'all' && projectIds.length === 0 && { projectIds: 'REQUIRED' }),
      ...(ends === onDate && !expiresAt && { expiresAt: 'REQUIRED' }),
    }),
    async submit({ name, scope, reach, projectIds, ends, expiresAt }) {
      const end = ends === onDate ? endOfDay(expiresAt) : inDays(Number(ends));
      const chosen = reach === 'all' ? {} : { projectIds: [...projectIds] };
      const body = { name, scope, expiresAt: end.toISOString(), ...chosen };
      onCreated(await create.mutateAsync({ params: { developerId }, body }));
    },
  });
}

function Shown({ created, onClose }: { created: Created; onClose: () => void }) {
  const { token, name, expiresAt } = created;
  return (
    <SecretOnce
      title="Access token created"
      what="token"
      secret={token}
      copyLabel="Copy access token"
      facts={[['Name', name], 'secret', ['Expires', absoluteTime(expiresAt)]]}
      onClose={onClose}
    />
  );
}
