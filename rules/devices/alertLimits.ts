/**
 * An alert that is reported again within this time after it was resolved is reopened. After that, a new alert is
 * raised.
 */
export const reopenWithinMinutes = 5;
/** The maximum number of unresolved alerts per device. Further alerts are reported as a single one with the key `*`. */
export const unresolvedMax = 100;
export const overflowKey = '*';
/** At most one e-mail is sent in this time. Alerts raised in the meantime are part of the next one. */
export const alertMailMinutes = 15;
