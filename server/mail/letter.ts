/** A mail ready to be sent: what it says, once for people who read text and once for the rest. */
export interface Letter {
  /** One line, without control characters. */
  subject: string;
  text: string;
  html: string;
}
