-- Mails in the sandbox inbox that only their recipient may read.

alter table sandbox_mail
  -- A sign-in link or an invitation: in the dashboard only its recipient and the owner see it.
  add column is_private boolean not null default false;
