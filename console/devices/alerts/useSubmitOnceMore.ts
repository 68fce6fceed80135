import { type Submit, useSubmit } from '#console/core/api.ts';
import { isAnswer } from '#console/core/submit/submissionKeys.ts';

/** How soon a call without an answer is made again. */
const repeatMs = 400;

/**
 * For a press that has no second, as what it is about is gone from the screen once it has worked: without an answer, the
 * call is made once more. Its idempotency key makes both one change.
 */
export function useSubmitOnceMore(): Submit {
  const submit = useSubmit();
  return async (endpoint, input) => {
    try {
      return await submit(endpoint, input);
    } catch (error) {
      if (isAnswer(error)) throw error;
      await new Promise(resolve => setTimeout(resolve, repeatMs));
      return submit(endpoint, input);
    }
  };
}
