import { useState } from 'react';
import { schemaExample } from '#console/devices/schema/schemaExample.ts';
import {
  propertiesOf,
  type SchemaPart,
  type SchemaProperty,
} from '#console/devices/schema/schemaProperties.ts';
import { rangeWithUnit, typeText } from '#console/devices/schema/schemaWords.ts';
import type { HandedClass } from '#console/guide/simulators/handedClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { isObject } from '#rules/json/mergePatch.ts';
import type { JsonObject } from '#sdk/device.ts';
import { AddProperty } from '../controls/AddProperty.tsx';
import css from '../devicesim.module.css';
import ownCss from './firstReport.module.css';

const anything: JsonObject = { on: true, temperature: 21.5, mode: 'auto' };
const shownMax = 8;

interface FirstReportProps {
  described: HandedClass | undefined;
  onReport: (patch: JsonObject) => void;
}

/** Shown until a device has reported: the properties of its class with valid values, and a button to report them. */
export function FirstReport({ described, onReport }: FirstReportProps) {
  const [isByHand, setByHand] = useState(false);
  const properties = propertiesOf(described?.stateSchema).filter(isLeaf);
  const fitting = properties.length > 0 ? schemaExample(described?.stateSchema) : undefined;
  const example = isObject(fitting) ? (fitting as JsonObject) : anything;
  return (
    <>
      <p className={css.quiet}>
        Nothing reported yet.{' '}
        {properties.length > 0 ? (
          <>
            The schema of <b>{described?.id}</b> expects:
          </>
        ) : described ? (
          `${described.id} has no schema, so you can report any property. For example:`
        ) : (
          'For example:'
        )}
      </p>
      <table className={ownCss.expected} aria-label="What the device will report">
        <thead className="visuallyHidden">
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
            <th scope="col">Range</th>
          </tr>
        </thead>
        <tbody>
          {(properties.length > 0 ? properties : propertiesIn(example)).slice(0, shownMax).map(property => (
            <tr key={property.path}>
              <th scope="row">{property.path}</th>
              <td>{JSON.stringify(valueAt(example, property.keys))}</td>
              <td>{allowed(property.schema)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {properties.length > shownMax && <p className={css.quiet}>and {properties.length - shownMax} more</p>}
      <div className={css.actions}>
        <Button variant="primary" onClick={() => onReport(example)}>
          Report these values
        </Button>
        <Button variant="quiet" aria-expanded={isByHand} onClick={() => setByHand(!isByHand)}>
          Add a property instead
        </Button>
      </div>
      {isByHand && <AddProperty taken={[]} onAdd={onReport} />}
    </>
  );
}

/** "5 to 30 °C", or else the type, if the schema has one. */
const allowed = (schema: SchemaPart) => rangeWithUnit(schema) ?? ('type' in schema && typeText(schema));

/** For objects, their members are shown instead. */
const isLeaf = ({ schema }: SchemaProperty) => !isObject(schema.properties);

type Shown = Pick<SchemaProperty, 'path' | 'keys' | 'schema'>;

const propertiesIn = (values: JsonObject): Shown[] =>
  Object.keys(values).map(name => ({ path: name, keys: [name], schema: {} }));

function valueAt(values: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), values);
}
