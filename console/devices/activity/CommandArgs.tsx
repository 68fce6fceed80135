import { hasFields, SchemaFields } from '#console/schema/SchemaFields.tsx';
import { jsonFault, schemaMarks } from '#console/ui/code/jsonText.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { CallFailed } from '#contract/client.ts';
import { formatJson } from '#rules/formatJson.ts';
import css from './activity.module.css';

interface CommandArgsProps {
  /** Of the arguments; undefined: they can be anything. */
  schema: unknown;
  text: string;
  failure: CallFailed | undefined;
  /** True: it was tried to send them. */
  isSent: boolean;
  view: ArgsView;
  onView: (view: ArgsView) => void;
  field: { value: string; onChange: (text: string) => void; error: string | undefined };
}

const views = [
  { value: 'fields', label: 'Fields' },
  { value: 'json', label: 'JSON' },
] as const;

export type ArgsView = (typeof views)[number]['value'];

/** The arguments of a command: fields made of its schema, the same as JSON behind the second tab. */
export function CommandArgs({ schema, text, failure, isSent, field, view, onView }: CommandArgsProps) {
  const isForm = hasFields(schema);
  const show = (next: ArgsView) => {
    // The fields would lose what has no place in them; the editor says what is wrong.
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
        />
      ) : (
        <JsonField
          label="Arguments (optional)"
          lines={[4, 12]}
          marks={schemaMarks(failure, text)}
          {...field}
        />
      )}
    </>
  );
}

function laidOut(text: string): string {
  return jsonFault(text) === 'SYNTAX' ? text : formatJson(text);
}

/** What the server said against properties on top, by their names. */
function faultsByName(failure: CallFailed | undefined): ReadonlyMap<string, string> {
  const { faults = [] } = (failure?.context ?? {}) as { faults?: { at: string; text: string }[] };
  return new Map(faults.map(({ at, text }) => [at.slice(1), text]));
}
