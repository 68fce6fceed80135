-- Quiet hours that begin and end at the same time were none in some places, and the whole day in others.
update alert_subscriptions set quiet_from = null, quiet_to = null, time_zone = null where quiet_from = quiet_to;
alter table alert_subscriptions add constraint quiet_hours_differ check (quiet_from <> quiet_to);

update smart_modules set config = (config::jsonb || '{"hasQuietTime": false}')::json, revision = revision + 1
where module_type = 'notify' and config ->> 'hasQuietTime' = 'true' and config ->> 'quietFrom' = config ->> 'quietTo';

update smart_modules m set revision = revision + 1, config = jsonb_set(m.config::jsonb, '{actions}', (
    select jsonb_agg(case when a #>> '{quiet,from}' = a #>> '{quiet,to}' then a - 'quiet' else a end order by n)
    from jsonb_array_elements(m.config::jsonb -> 'actions') with ordinality as x (a, n)))::json
where module_type = 'rule' and exists (
  select from jsonb_array_elements(m.config::jsonb -> 'actions') as a
  where a #>> '{quiet,from}' = a #>> '{quiet,to}');
