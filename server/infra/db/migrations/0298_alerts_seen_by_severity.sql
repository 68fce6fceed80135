-- What each severity was told of, or was there before: lower severities that are added later begin with that change.
alter table alert_subscriptions alter column seen_tx drop default;
alter table alert_subscriptions alter column seen_tx type xid8[] using array[seen_tx, seen_tx, seen_tx];
alter table alert_subscriptions alter column seen_tx set default array[
  pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot())];
