-- How many devices a rule will act for, and when next: those whose condition holds and has not held long enough yet.
create index rule_states_of_module_due on rule_states (project_id, module_id, due_at) where due_at is not null;
