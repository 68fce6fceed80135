import { useState } from 'react';
import css from '#console/apps/apps.module.css';
import { useCall } from '#console/core/api.ts';
import { JsonLines } from '#console/ui/code/JsonLines.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type App, type AppFigures, editApp } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ConfigField } from './ConfigField.tsx';
import { configBytes, configFault, configOf, textOfConfig } from './configText.ts';

interface AppConfigPanelProps {
  app: App;
  /** How often apps read it; undefined until known. */
  reads: AppFigures['configReads'] | undefined;
  locked: boolean;
}

/** The JSON object that the app reads first, edited in place. */
export function AppConfigPanel({ app, reads, locked }: AppConfigPanelProps) {
  const [line, setLine] = useState<number>();
  const text = textOfConfig(app.config);
  return (
    <Panel
      title="Config"
      note={
        <>
          <span className={css.roomy}>
            JSON object the app reads at <code>GET /config</code>,{' '}
          </span>
          {bytesText(configBytes(text))}
        </>
      }
      flush
      locked={locked}
      edit={done => <ConfigForm app={app} done={done} />}
    >
      {text === '' ? (
        <p className={css.empty}>
          Empty. Use it for values that differ between your apps or change without a release: features,
          addresses, the minimum version.
        </p>
      ) : (
        <JsonLines
          label="Config"
          text={text}
          marked={line === undefined ? undefined : [line, line]}
          onLine={setLine}
        />
      )}
      <p className={css.foot}>
        <span data-tone="ok">
          <CheckIcon size={14} /> {text === '' ? 'Empty object' : 'Valid object'}
        </span>
        {reads && <span>{readsText(reads)}</span>}
      </p>
    </Panel>
  );
}

const bytesText = (bytes: number) => `${numberText(bytes)} bytes`;

function readsText({ count, lastAt }: AppFigures['configReads']) {
  if (count === 0 && !lastAt) return 'Not read in 24 h';
  return (
    <>
      Read {count === 1 ? 'once' : `${numberText(count)} times`} in 24 h
      {lastAt && (
        <>
          , last <TimeAgo time={lastAt} />
        </>
      )}
    </>
  );
}

function ConfigForm({ app, done }: { app: App; done: () => void }) {
  const { id: appId, projectId } = app;
  const save = useCall(editApp);
  const edit = useEdit({
    row: app,
    words: { config: 'Config' },
    toForm: ({ config }: App) => ({ config: textOfConfig(config) }),
    check: ({ config }) => {
      const fault = configFault(config);
      return fault ? { config: fault } : {};
    },
    send: ({ config = '' }, ifMatch) =>
      save.mutateAsync({
        params: { appId },
        query: { projectId },
        body: { config: configOf(config) },
        ifMatch,
      }),
    onDone(saved) {
      if (saved) toast('Config saved');
      done();
    },
  });
  const { value, onChange, error } = edit.field('config');
  return (
    <EditForm edit={edit} onCancel={done} wide>
      <ConfigField value={value} onChange={onChange} error={error} onSave={() => void edit.send()} />
    </EditForm>
  );
}
