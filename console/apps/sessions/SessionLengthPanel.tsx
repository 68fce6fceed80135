import { useState } from 'react';
import css from '#console/apps/apps.module.css';
import { useCall } from '#console/core/api.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { usePress } from '#console/ui/edit/usePress.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { type App, editApp } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';
import {
  type LengthUnit,
  lengthOf,
  lengthText,
  lengthUnits,
  partsOf,
  shortLength,
  usualLengths,
} from './sessionLength.ts';

interface SessionLengthPanelProps {
  app: App;
  openSessions: number | undefined;
  locked: boolean;
}

/** How long a user stays signed in. */
export function SessionLengthPanel({ app, openSessions, locked }: SessionLengthPanelProps) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const { shown, error, busy, press } = usePress(app, (body, ifMatch) =>
    save.mutateAsync({ params: { appId }, query: { projectId }, body, ifMatch }),
  );
  const [asked, setAsked] = useState<number>();
  const lengthS = shown.userSessionsTTL;
  const set = async (userSessionsTTL: number) => {
    if (await press(() => ({ userSessionsTTL }))) toast('Session length saved');
  };
  // A mistaken press must not sign users out.
  const choose = (next: number) => {
    if (next === lengthS || busy) return;
    if (next < lengthS && openSessions !== 0) setAsked(next);
    else void set(next);
  };
  return (
    <Panel
      title="Session length"
      locked={locked}
      editLabel="Custom"
      edit={done => <LengthForm app={app} done={done} />}
    >
      <div className={css.length}>
        <FormError error={error} />
        <Lengths chosen={lengthS} locked={locked} onChoose={choose} />
        <p>
          A session ends {lengthText(lengthS)}
          {partsOf(lengthS).unit !== 'seconds' && ` (${numberText(lengthS)} seconds)`} after sign-in. Access
          tokens last 15 minutes and are renewed by the SDK.
        </p>
      </div>
      {asked !== undefined && (
        <Confirm
          title="Shorten sessions?"
          verb="Shorten sessions"
          danger={false}
          onConfirm={() => set(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Users who signed in more than {lengthText(asked)} ago are signed out at the next refresh of their
            session.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}

interface LengthsProps {
  chosen: number;
  locked: boolean;
  onChoose: (lengthS: number) => void;
}

function Lengths({ chosen, locked, onChoose }: LengthsProps) {
  const lengths = usualLengths.includes(chosen) ? usualLengths : [...usualLengths, chosen];
  return (
    <fieldset className={css.lengths}>
      <legend className="visuallyHidden">Session length</legend>
      {lengths.map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={one === chosen}
          disabled={locked && one !== chosen}
          onClick={() => onChoose(one)}
        >
          <span aria-hidden="true">{shortLength(one)}</span>
          <span className="visuallyHidden">{lengthText(one)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function LengthForm({ app, done }: { app: App; done: () => void }) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const edit = useEdit({
    row: app,
    words: { userSessionsTTL: 'Length', unit: 'Unit' },
    toForm: ({ userSessionsTTL }: App) => {
      const { count, unit } = partsOf(userSessionsTTL);
      return { userSessionsTTL: String(count), unit: unit as string };
    },
    check: ({ userSessionsTTL, unit }) =>
      lengthOf(userSessionsTTL, unit as LengthUnit) === undefined ? { userSessionsTTL: 'OUT_OF_RANGE' } : {},
    send: (_, ifMatch, { userSessionsTTL, unit }) =>
      save.mutateAsync({
        params: { appId },
        query: { projectId },
        body: { userSessionsTTL: lengthOf(userSessionsTTL, unit as LengthUnit) },
        ifMatch,
      }),
    onDone(saved) {
      if (saved) toast('Session length saved');
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextField
        label="A session ends after"
        inputMode="numeric"
        autoFocus
        hint="From 1 hour to 400 days. A shorter length signs users out at their next refresh."
        {...edit.field('userSessionsTTL')}
      />
      <SelectField label="Unit" options={lengthUnits} {...edit.field('unit')} />
    </EditForm>
  );
}
