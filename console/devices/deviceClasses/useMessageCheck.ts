import { call } from '#console/core/client.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { jsonFault, parsedJson } from '#console/ui/code/jsonText.ts';
import { CallFailed } from '#contract/client.ts';
import type { DeviceClass } from '#contract/deviceClass.ts';
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';
import { checkMessage } from '#contract/quarantine.ts';
import { useWhileTyping } from './useWhileTyping.ts';

export type Tried = AnswerOf<typeof checkMessage>;

/**
 * Asks the server which faults it would find in a message; asks again for another revision, which may have other
 * schemas.
 */
export function useMessageCheck(
  { projectId, id, revision }: Pick<DeviceClass, 'projectId' | 'id' | 'revision'>,
  { kind, name }: Pick<BodyOf<typeof checkMessage>, 'kind' | 'name'>,
  text: string,
): Tried | undefined {
  const about = jsonFault(text) ? undefined : JSON.stringify([projectId, id, revision, kind, name, text]);
  const answer = useWhileTyping(about, signal => {
    const body = { kind, ...(name !== undefined && { name }), payload: parsedJson(text) };
    return call(checkMessage, { ...classInput(projectId, id), body, signal });
  });
  if (!(answer instanceof CallFailed)) return answer;
  return { hasSchema: true, faults: [{ at: '', text: `could not be checked: ${answer.message}` }] };
}
