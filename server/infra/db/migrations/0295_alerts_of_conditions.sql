-- An alert of a rule that ends with its condition: the rule resolves it by this, whatever key a template gave it.
alter table alerts add column ends_with_condition boolean not null default false;

update alerts a set ends_with_condition = true
from smart_modules m
where m.project_id = a.project_id and m.id = a.module_id and m.module_type = 'rule'
  and a.module_id <> '' and a.is_current and a.state <> 'resolved'
  and exists (
    select from json_array_elements(m.config -> 'actions') as action
    where action ->> 'kind' = 'alert' and coalesce((action ->> 'resolves')::boolean, true));
