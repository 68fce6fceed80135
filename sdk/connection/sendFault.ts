const sentences = {
  CLOSED: 'The device is closed.',
  OUTBOX_FULL: 'Too many messages are waiting to be sent.',
  TOO_LARGE: 'The message is larger than 128 KiB.',
  NOT_JSON: 'The message cannot be serialized as JSON.',
  REJECTED: 'The platform rejected the message.',
  NAME_INVALID:
    'A name consists of letters and digits, with single - or _ in between, starts with a letter, and can be wrapped in underscores.',
} as const;

export type SendFaultReason = keyof typeof sentences;

/** Why a message was not accepted, or will never be sent. */
export class SendFault extends Error {
  override name = 'SendFault';
  readonly reason: SendFaultReason;

  constructor(reason: SendFaultReason, text: string = sentences[reason]) {
    super(text);
    this.reason = reason;
  }
}
