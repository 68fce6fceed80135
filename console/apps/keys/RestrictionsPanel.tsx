import { useCall } from '#console/core/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { dayField, endOfDay, inDays } from '#console/ui/fields/dayField.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import { CallRate } from '#console/ui/links/CallRate.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { CallFailed } from '#contract/client.ts';
import { editKey, type Key } from '#contract/key.ts';
import type { Project } from '#contract/project.ts';
import css from './keys.module.css';

interface RestrictionsPanelProps {
  keyRow: Key;
  locked: boolean;
}

/** The addresses from which a key may be used, and until when. */
export function RestrictionsPanel({ keyRow, locked }: RestrictionsPanelProps) {
  const { addresses, expiresAt } = keyRow;
  return (
    <Panel
      title="Restrictions"
      locked={locked}
      edit={done => <RestrictionsForm keyRow={keyRow} done={done} />}
    >
      <Facts
        facts={[
          [
            'Addresses',
            addresses.length === 0 ? (
              'any'
            ) : (
              <ul key="addresses" className={css.addresses}>
                {addresses.map(address => (
                  <li key={address}>
                    <CopyText text={address} label="Copy address" />
                  </li>
                ))}
              </ul>
            ),
          ],
          ['Expires', <TimeAgo key="expires" time={expiresAt} />],
          ['Rate', <CallRate key="rate" say={rateOf} />],
        ]}
      />
    </Panel>
  );
}

const rateOf = ({ projectCallRate }: Project) =>
  `${projectCallRate} calls a second, with the other keys of the project`;

const never = 'never';
const onDate = 'date';
const ends = [
  { value: never, label: 'Never' },
  { value: onDate, label: 'On a date' },
];
interface Values {
  addresses: string;
  ends: string;
  expiresAt: string;
}

function RestrictionsForm({ keyRow, done }: { keyRow: Key; done: () => void }) {
  const save = useCall(editKey);
  const edit = useEdit<Key, Values>({
    row: keyRow,
    words: { addresses: 'Addresses', ends: 'Expires', expiresAt: 'Expiry date' },
    toForm: ({ addresses, expiresAt }) => ({
      addresses: addresses.join('\n'),
      ends: expiresAt ? onDate : never,
      expiresAt: expiresAt ? dayField(new Date(expiresAt)) : '',
    }),
    check: values => (values.ends === onDate && !values.expiresAt ? { expiresAt: 'REQUIRED' } : {}),
    send: (changed, ifMatch, values) =>
      save.mutateAsync({ params: { keyId: keyRow.id }, body: toBody(changed, values), ifMatch }),
    onDone(saved) {
      if (saved) toast('Restrictions saved');
      done();
    },
  });
  const unfit = edit.field('addresses').error && addressesOf(edit.values.addresses)[unfitAt(edit.failure)];
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextArea
        label="Addresses"
        mono
        rows={4}
        spellCheck={false}
        autoFocus
        placeholder={'203.0.113.7\n203.0.113.0/28'}
        keepsHint={unfit !== undefined}
        hint={unfit ? `Check ${unfit}` : 'Addresses or networks, one per line. Leave it empty to allow any.'}
        {...edit.field('addresses')}
      />
      <SelectField label="Expires" options={ends} {...edit.field('ends')} />
      {edit.values.ends === onDate && (
        <TextField
          label="Expiry date"
          type="date"
          min={dayField(inDays(0))}
          hint="It works until the end of this day."
          {...edit.field('expiresAt')}
        />
      )}
    </EditForm>
  );
}

const addressesOf = (text: string) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** The index of the address that the server refused; -1: none. */
function unfitAt(failure: CallFailed | undefined): number {
  const name = Object.keys(failure?.fields ?? {}).find(one => one.startsWith('addresses.'));
  return name === undefined ? -1 : Number(name.slice('addresses.'.length));
}

function toBody(changed: Partial<Values>, { addresses, ends: end, expiresAt }: Values) {
  return {
    ...(changed.addresses !== undefined && {
      addresses: addressesOf(addresses),
    }),
    ...((changed.ends ?? changed.expiresAt) !== undefined && {
      expiresAt: end === never ? null : endOfDay(expiresAt).toISOString(),
    }),
  };
}
