import { call, invalidate } from '#console/core/client.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { CallFailed } from '#contract/client.ts';
import { cancelLogRequest, type LogRequest } from '#contract/logRequest.ts';

export function CancelLogRequest({ request, onClose }: { request: LogRequest; onClose: () => void }) {
  const params = { deviceId: request.deviceId, requestId: request.id };

  async function cancel() {
    try {
      await call(cancelLogRequest, { params });
      toast('Log request cancelled');
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      throw withSentence(failure);
    } finally {
      void invalidate(cancelLogRequest, params);
    }
  }

  return (
    <Confirm title="Cancel log request" verb="Cancel log request" onConfirm={cancel} onClose={onClose}>
      <p>
        Do you really want to cancel the log request id <code>{request.id}</code>?
      </p>
    </Confirm>
  );
}

/** The sentence is fixed by the specification and includes the reason. */
function withSentence({ reason, status }: CallFailed): CallFailed {
  return new CallFailed({ reason, message: `Unable to cancel request - ${reason}` }, { status });
}
