import { Link } from '@tanstack/react-router';
import { countOf } from '#console/firmware/firmwareWords.ts';
import css from '#console/people/homes/homes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import type { Released, Resale } from '#contract/homeDevice.ts';

interface ResaleReadyProps {
  projectId: string;
  resale: Resale;
  /** The names that the devices had in the home. */
  names: ReadonlyMap<string, string>;
  ownerId: string;
  onClose: () => void;
}

/** A claim code of each device for the next owner, and a link to the export for the previous one. */
export function ResaleReady({ projectId, resale, names, ownerId, onClose }: ResaleReadyProps) {
  const { devices, exportId } = resale;
  const nameOf = ({ deviceId }: Released) => names.get(deviceId) ?? deviceId;
  const columns: readonly Column<Released>[] = [
    { id: 'device', head: 'Device', cell: one => <span dir="auto">{nameOf(one)}</span> },
    {
      id: 'code',
      head: 'Claim code',
      width: '46%',
      cell: one => <CopyText text={one.claimCode} label={`Copy claim code of ${nameOf(one)}`} />,
    },
  ];
  const lines = devices.map(one => `${nameOf(one)}\t${one.claimCode}`).join('\n');
  return (
    <Dialog title="Ready for resale" onClose={onClose}>
      <DialogBody>
        <p role="status">
          {countOf(devices.length, 'device was', 'devices were')} wiped and released. Give these claim codes
          to the next owner; each device’s page shows its own until it is claimed.
        </p>
        <div className={css.codes}>
          <Table label="Claim codes" columns={columns} rows={devices} rowKey={({ deviceId }) => deviceId} />
        </div>
        <p className={css.small}>
          The data of the home and its devices is being collected in{' '}
          <Link
            to="/projects/$projectId/users/$userId"
            params={{ projectId, userId: ownerId }}
            search={{ export: exportId } as never}
          >
            an export for its owner
          </Link>
          .
        </p>
      </DialogBody>
      <DialogFooter>
        <CopyText text={lines} shown="Copy all" label="Copy all claim codes" />
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
