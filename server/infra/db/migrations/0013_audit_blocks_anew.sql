-- Pieces of four letters instead of three, of 256 entries: every piece of three hexadecimal digits was in every block,
-- so that hashes and addresses were looked for everywhere. The blocks are written anew as their logs go on.
delete from audit_blocks;
-- A block's thousands of pieces go into the index with those of the blocks after it, at half the cost. What waits is
-- looked through by every search: a mebibyte, a few blocks.
alter index audit_blocks_grams set (fastupdate = on, gin_pending_list_limit = 1024);
