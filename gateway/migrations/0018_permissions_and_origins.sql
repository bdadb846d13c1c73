-- What merchants may do, and on whose pages.

-- Permissions that were not asked for until now: whoever is here already has them, so that nothing that worked stops.
update merchant
   set permissions = permissions || array(
         select wanted
           from unnest(array['checkoutCards', 'recurring', 'reservedAccounts', 'directDebit', 'verification']) wanted
          where not wanted = any (permissions));

-- The sites whose pages may open payments with the inline script; none may where there are none. In the sandbox a star
-- means pages of all sites, and is what merchants start with.
alter table merchant add column inline_origins text[] not null default '{}';
update merchant set inline_origins = '{*}' where api_key like 'MK\_TEST\_%';
