import { useEffect, useState } from 'react';
import { call } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { jsonFault, parsedJson } from '#console/ui/code/jsonText.ts';
import { CallFailed } from '#contract/client.ts';
import { checkMessage, type DeviceClass } from '#contract/deviceClass.ts';
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';

export type Tried = AnswerOf<typeof checkMessage>;

const quietMs = 300;

/** Asks the server what it would have against a message, whenever typing pauses; undefined until it has answered. */
export function useMessageCheck(
  { projectId, id, revision }: Pick<DeviceClass, 'projectId' | 'id' | 'revision'>,
  { kind, name }: Pick<BodyOf<typeof checkMessage>, 'kind' | 'name'>,
  text: string,
): Tried | undefined {
  const [tried, setTried] = useState<Tried>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision of the class may have other schemas
  useEffect(() => {
    if (jsonFault(text)) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(() => {
      const body = { kind, ...(name !== undefined && { name }), payload: parsedJson(text) };
      call(checkMessage, { ...classInput(projectId, id), body, signal: asking.signal }).then(
        setTried,
        (error: unknown) => {
          if (asking.signal.aborted) return;
          if (!(error instanceof CallFailed)) throw error;
          setTried({ hasSchema: true, faults: [{ at: '', text: `could not be checked: ${error.message}` }] });
        },
      );
    }, quietMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [projectId, id, revision, kind, name, text]);

  return tried;
}
