import { useCall } from '#console/core/api.ts';
import css from '#console/people/homes/homes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Home, withdrawHomeTransfer } from '#contract/home.ts';

interface OwnershipPanelProps {
  home: Home;
  mayEdit: boolean;
  onOffer: () => void;
  onResale: () => void;
}

/** How a home gets a new owner: a member takes it over, or it is prepared for resale with the house. */
export function OwnershipPanel({ home, mayEdit, onOffer, onResale }: OwnershipPanelProps) {
  const { id: homeId, projectId, transfer, deviceCount, memberCount } = home;
  const withdraw = useCall(withdrawHomeTransfer, { onDone: () => toast('Offer withdrawn') });
  return (
    <Panel title="Ownership">
      <div className={css.stack}>
        {transfer ? (
          <p>
            Offered to <PersonLink projectId={projectId} person={transfer.to} />{' '}
            <TimeAgo time={transfer.offeredAt} />. The offer ends <TimeAgo time={transfer.expiresAt} ahead />.
          </p>
        ) : (
          <p className={css.quiet}>
            A transfer is offered to a member and takes effect when accepted. Selling the house? Resale
            exports, wipes and releases every device with a new claim code.
          </p>
        )}
        <FormError error={withdraw.error} />
        {mayEdit && (
          <div className={css.buttons}>
            {transfer ? (
              <Button busy={withdraw.isPending} onClick={() => withdraw.mutate({ params: { homeId } })}>
                Withdraw offer
              </Button>
            ) : (
              memberCount > 1 && <Button onClick={onOffer}>Offer transfer</Button>
            )}
            {deviceCount > 0 && <Button onClick={onResale}>Prepare resale</Button>}
          </div>
        )}
        {mayEdit && !transfer && memberCount <= 1 && (
          <p className={css.small}>
            The owner is the only member. Add another member to transfer the home to.
          </p>
        )}
      </div>
    </Panel>
  );
}
