-- Contracts that take nothing new, and merchants who change settings of their own.

-- From then on nothing new is collected under it; what was agreed before goes on.
alter table contract add column disabled_at timestamptz;

-- Changing one's own settings by the API is a permission. In the sandbox merchants start with it, as with the others.
update merchant
   set permissions = permissions || array['settings']
 where api_key like 'MK\_TEST\_%' and not 'settings' = any (permissions);
