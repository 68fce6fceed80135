import { useMemo, useState } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { unlistedIn, withReported } from '#console/devices/schema/schemaFromReports.ts';
import { messageRows, propertyRows, rowAtLine, type SchemaRow } from '#console/devices/schema/schemaRows.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { compactJson } from '#console/ui/code/compactJson.ts';
import { JsonLines } from '#console/ui/code/JsonLines.tsx';
import type { JsonFold } from '#console/ui/code/jsonFolds.ts';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { ReportedProperties } from '#contract/deviceState.ts';
import { SchemaTable } from './SchemaTable.tsx';
import { type SchemaKind, sampleText } from './schemaForm.ts';
import css from './schemaSection.module.css';

interface SchemaViewProps {
  kind: SchemaKind;
  schema: unknown;
  reported: ReportedProperties | undefined;
  locked: boolean;
  /** Opens the editor with this schema. */
  onDraft: (schema: unknown) => void;
}

/**
 * A schema as a table with its JSON beside it; a row and its lines highlight each other, and a press unfolds the lines.
 */
export function SchemaView({ kind, schema, reported, locked, onDraft }: SchemaViewProps) {
  const text = useMemo(() => compactJson(textOfJson(schema)), [schema]);
  const rows = useMemo(
    () => (kind.id === 'state' ? propertyRows(schema, text) : messageRows(schema, text)),
    [kind, schema, text],
  );
  const [pointed, setPointed] = useState<string>();
  const [{ property }, change] = useUrlState();
  const chosen = rows.find(({ id }) => id === property);
  const marked = rows.find(({ id }) => id === pointed) ?? chosen;
  const folds = useMemo(() => rows.map(foldOf), [rows]);
  return (
    <div className={css.sides}>
      <Panel title={kind.name} note={reported && sampleText(reported)} flush>
        {rows.length > 0 ? (
          <SchemaTable
            label={kind.title}
            {...{ rows, reported }}
            marked={pointed}
            onMark={setPointed}
            chosen={chosen?.id}
            onChoose={id => change({ property: id === chosen?.id ? undefined : id }, { replace: true })}
          />
        ) : (
          <p className={css.none}>This schema names no properties.</p>
        )}
        {reported && <Unlisted {...{ schema, reported, locked, onDraft }} />}
      </Panel>
      <div className={css.json}>
        <div className={css.pane}>
          <Panel
            title="JSON Schema"
            note="draft 2020-12"
            flush
            action={<CopyText text={text} shown="Copy" isWord label="Copy schema" />}
          >
            <JsonLines
              label={kind.title}
              text={text}
              marked={marked?.lines}
              onLine={line => setPointed(line === undefined ? undefined : rowAtLine(rows, line)?.id)}
              folds={folds}
              chosenLine={chosen?.lines[0]}
            />
          </Panel>
        </div>
      </div>
    </div>
  );
}

function foldOf({ id, message, property, lines }: SchemaRow): JsonFold {
  return { id, name: property?.path ?? message?.name ?? '', lines };
}

type UnlistedProps = Pick<SchemaViewProps, 'schema' | 'locked' | 'onDraft'> & {
  reported: ReportedProperties;
};

/** What devices report although the schema does not describe it. */
function Unlisted({ schema, reported, locked, onDraft }: UnlistedProps) {
  const unlisted = unlistedIn(schema, reported);
  if (unlisted.length === 0) return null;
  const all = unlisted.length === 1 ? 'it' : unlisted.length === 2 ? 'both' : `all ${unlisted.length}`;
  return (
    <footer className={css.unlisted}>
      <WarningIcon />
      <span>
        Also reported, but not in the schema:{' '}
        {unlisted.slice(0, 5).map(({ name, devices }, at) => (
          <span key={name}>
            {at > 0 && ', '}
            <code>{name}</code> by {Math.round((devices / reported.devices) * 100)} %
          </span>
        ))}
        {unlisted.length > 5 && ` and ${unlisted.length - 5} more`}
      </span>
      {!locked && (
        <Button onClick={() => onDraft(withReported(schema, unlisted))}>Add {all} to the schema</Button>
      )}
    </footer>
  );
}
