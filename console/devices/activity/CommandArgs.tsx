import { hasFields, SchemaFields } from '#console/devices/schema/SchemaFields.tsx';
import { jsonFault, schemaMarks } from '#console/ui/code/jsonText.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { CallFailed } from '#contract/client.ts';
import { formatJson } from '#rules/json/formatJson.ts';
import css from './activity.module.css';

interface CommandArgsProps {
  /** The schema of the arguments; undefined: anything is accepted. */
  schema: unknown;
  text: string;
  failure: CallFailed | undefined;
  /** True: sending has been attempted. */
  isSent: boolean;
  view: ArgsView;
  onView: (view: ArgsView) => void;
  /** True: the name was confirmed, so the first argument takes the focus as soon as it appears. */
  takesFocus: boolean;
  onSend: () => void;
  field: { value: string; onChange: (text: string) => void; error: string | undefined };
}

const views = [
  { value: 'fields', label: 'Fields' },
  { value: 'json', label: 'JSON' },
] as const;

export type ArgsView = (typeof views)[number]['value'];

/** The arguments of a command: fields generated from its schema, and the same as JSON on the second tab. */
export function CommandArgs(props: CommandArgsProps) {
  const { schema, text, failure, isSent, field, view, onView, takesFocus, onSend } = props;
  const isForm = hasFields(schema);
  const show = (next: ArgsView) => {
    // The fields would lose text that is not valid JSON, so the editor stays and shows the error.
    if (next !== 'json' && text.trim() !== '' && jsonFault(text)) return;
    if (next === 'json') field.onChange(laidOut(text));
    onView(next);
  };
  return (
    <>
      {isForm && (
        <div className={css.views}>
          <Segments label="Arguments as" options={views} chosen={view} onChange={show} />
        </div>
      )}
      {isForm && view === 'fields' ? (
        <SchemaFields
          schema={schema}
          text={text}
          onChange={field.onChange}
          faults={faultsByName(failure)}
          isSent={isSent}
          autoFocus={takesFocus}
        />
      ) : (
        <JsonField
          label="Arguments (optional)"
          lines={[4, 12]}
          marks={schemaMarks(failure, text)}
          autoFocus={takesFocus}
          onSave={onSend}
          {...field}
        />
      )}
    </>
  );
}

function laidOut(text: string): string {
  return jsonFault(text) === 'SYNTAX' ? text : formatJson(text);
}

/** The server's faults for top-level properties, by name. */
function faultsByName(failure: CallFailed | undefined): ReadonlyMap<string, string> {
  const { faults = [] } = (failure?.context ?? {}) as { faults?: { at: string; text: string }[] };
  return new Map(faults.map(({ at, text }) => [at.slice(1), text]));
}
