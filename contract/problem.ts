import { type Reason, reasons } from './reasons.ts';

export { type Reason, reasons };

/** The body of every error answer. */
export interface ProblemAnswer {
  reason: Reason;
  message: string;
  context?: unknown;
  /** Field name to reason code. */
  fields?: Record<string, string>;
}

/** The error the server throws and the client receives: one reason, optionally with the fields at fault. */
export class Problem extends Error {
  readonly reason: Reason;
  readonly fields: Record<string, string> | undefined;
  readonly context: unknown;
  readonly retryAfterS: number | undefined;

  constructor(
    reason: Reason,
    more: { message?: string; fields?: Record<string, string>; context?: unknown; retryAfterS?: number } = {},
  ) {
    super(more.message ?? reasons[reason][1]);
    this.name = 'Problem';
    this.reason = reason;
    this.fields = more.fields;
    this.context = more.context;
    this.retryAfterS = more.retryAfterS;
  }

  get status(): number {
    return reasons[this.reason][0];
  }

  toAnswer(): ProblemAnswer {
    return {
      reason: this.reason,
      message: this.message,
      ...(this.context !== undefined && { context: this.context }),
      ...(this.fields && { fields: this.fields }),
    };
  }
}
