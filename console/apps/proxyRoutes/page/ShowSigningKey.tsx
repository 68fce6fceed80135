import { useEffect } from 'react';
import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { useCall } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type ProxyRoute, readSigningKey } from '#contract/proxyRoute.ts';

/** The key, fetched only on request, as every read of it is logged. */
export function ShowSigningKey({
  route: { id: routeId },
  onClose,
}: {
  route: ProxyRoute;
  onClose: () => void;
}) {
  const { mutate, data, error } = useCall(readSigningKey);
  useEffect(() => mutate({ params: { routeId } }), [mutate, routeId]);
  const keys = data && [data, ...(data.previous ? [data.previous] : [])];
  return (
    <Dialog title="Signing key" onClose={onClose}>
      <DialogBody>
        <p>Viewing the key is logged.</p>
        {error && <FormError error={error} />}
        {!keys && !error && <Skeleton lines={2} />}
        {keys?.map(({ keyId, secret, publicKey }, at) => (
          <section key={keyId} className={css.shownKey} aria-label={keyId}>
            <h3>
              {at === 0 ? 'Current' : 'Previous'}, <code>{keyId}</code>
              {publicKey ? ', public key' : ', secret'}
            </h3>
            <CodeSample label={keyId} text={secret ?? publicKey ?? ''} />
          </section>
        ))}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
