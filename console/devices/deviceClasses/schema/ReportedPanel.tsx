import { typeText } from '#console/devices/schema/schemaWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { ReportedProperties } from '#contract/deviceState.ts';
import { ReportedShare } from './ReportedShare.tsx';
import { type SchemaKind, sampleText } from './schemaForm.ts';
import css from './schemaSection.module.css';

interface ReportedPanelProps {
  kind: SchemaKind;
  reported: ReportedProperties | undefined;
  /** Makes a schema from what is reported; absent if the member may not. */
  onMake: (() => void) | undefined;
}

/** Shown while there is no schema: what devices report, from which a schema can be made. */
export function ReportedPanel({ kind, reported, onMake }: ReportedPanelProps) {
  if (!reported || reported.properties.length === 0)
    return <LinePanel title={kind.title}>{kind.says}</LinePanel>;
  return (
    <Panel
      title={kind.title}
      note={`none yet; ${sampleText(reported)}`}
      flush
      action={
        onMake && (
          <Button variant="primary" onClick={onMake}>
            Create a schema from it
          </Button>
        )
      }
    >
      <table className={css.table} aria-label="Reported properties">
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col" className={css.type}>
              Type
            </th>
            <th scope="col" className={css.share}>
              Reported by
            </th>
          </tr>
        </thead>
        <tbody>
          {reported.properties.map(property => (
            <tr key={property.name}>
              <th scope="row">
                <code>{property.name}</code>
              </th>
              <td className={css.type}>{typeText({ type: property.types })}</td>
              <td className={css.share}>
                <ReportedShare property={{ keys: [property.name] }} reported={reported} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.says}>{kind.says}</p>
    </Panel>
  );
}
