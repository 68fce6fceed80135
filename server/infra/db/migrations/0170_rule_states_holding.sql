-- Of very many events it is asked whether a condition holds for their devices; it does for few.
create index rule_states_holding on rule_states (project_id, device_id) where holds;
