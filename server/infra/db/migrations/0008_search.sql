-- How text is compared in searches: without regard to case and accents. Immutable, so that generated columns and
-- indexes can be made of it.
create function search_text(given text) returns text language sql immutable parallel safe strict
  return regexp_replace(normalize(lower(given), NFKD), '[\u0300-\u036f]', '', 'g');
