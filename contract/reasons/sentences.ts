/** By reason: the status of an answer, and the sentence that says what is wrong and what to do. */
export type Sentences = Record<string, readonly [status: number, sentence: string]>;
