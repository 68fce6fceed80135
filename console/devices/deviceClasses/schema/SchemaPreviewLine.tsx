import { Link } from '@tanstack/react-router';
import { call } from '#console/core/client.ts';
import { useWhileTyping } from '#console/devices/deviceClasses/useWhileTyping.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { jsonFault, parsedJson } from '#console/ui/code/jsonText.ts';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { CallFailed } from '#contract/client.ts';
import { type DeviceClass, previewSchema, type SchemaPreview } from '#contract/deviceClass.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './schemaSection.module.css';

interface SchemaPreviewLineProps {
  deviceClass: DeviceClass;
  /** The state schema as it is typed. */
  text: string;
}

/** Says while typing which devices the schema would affect: their next reports would be quarantined. */
export function SchemaPreviewLine({ deviceClass, text }: SchemaPreviewLineProps) {
  const { projectId, id, revision } = deviceClass;
  const isSchema = text.trim() !== '' && !jsonFault(text);
  const answer = useWhileTyping(isSchema ? `${revision} ${text}` : undefined, signal =>
    call(previewSchema, {
      ...classInput(projectId, id),
      body: { stateSchema: parsedJson(text) as boolean },
      signal,
    }),
  );
  // Faults of the schema itself are shown on saving.
  if (!isSchema || !answer || answer instanceof CallFailed || answer.checked === 0) return null;
  return (
    <div role="status" className={css.preview}>
      <p className={css.verdict}>
        <Dot tone={answer.breaking > 0 ? 'warn' : 'ok'} /> {verdict(answer)}
      </p>
      {answer.examples.map(({ deviceId, tag, name, text: why }) => (
        <p key={deviceId}>
          <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }}>
            {name || tag || deviceId}
          </Link>
          : {why}
        </p>
      ))}
    </div>
  );
}

function verdict({ checked, breaking, complete }: SchemaPreview): string {
  const devices = checked === 1 ? '1 device' : `${numberText(checked)} devices`;
  const those = `${complete ? '' : 'the first '}${devices} that reported a state`;
  if (breaking > 0) return `${numberText(breaking)} of ${those} would violate it:`;
  return checked === 1 ? `Fits ${those}.` : `Fits ${complete ? 'all ' : ''}${those}.`;
}
