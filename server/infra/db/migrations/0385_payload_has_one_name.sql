-- The payload of an event is `event.payload` in the texts of notifications too, as it is in conditions. Only inside the
-- braces of an expression, one in each pass: what a sentence says stays.
do $$
begin
  loop
    update smart_modules
    set config = regexp_replace(
      config::text, '(\{[{%](?:[^{}]*[^\w.{}-])?)payload\.', '\1event.payload.', 'g')::json
    where module_type = 'notify' and config::text ~ '\{[{%](?:[^{}]*[^\w.{}-])?payload\.';
    exit when not found;
  end loop;
end $$;
