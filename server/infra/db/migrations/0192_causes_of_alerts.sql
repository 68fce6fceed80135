-- Alerts of many runs of modules are raised in one transaction: what led to each is told by its module and device.
create function causes_of_alert(module text, device text) returns text[] language sql stable as $$
  select case when json_typeof(causes) = 'array' then array(select json_array_elements_text(causes)) else caused_by_runs() end
  from (select nullif(current_setting('mooring.caused_by_alerts', true), '')::json -> (module || ' ' || device) as causes) found
$$;

create or replace function note_alert() returns trigger language plpgsql as $$
begin
  perform note_device_change(new.project_id, new.device_id, '_alert_', json_strip_nulls(json_build_object(
    'id', new.id, 'severity', new.severity, 'text', new.text, 'key', new.key, 'event', new.event,
    'moduleId', nullif(new.module_id, ''))), causes_of_alert(new.module_id, new.device_id));
  return null;
end $$;
