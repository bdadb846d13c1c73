-- The topics about which the merchant's own address gets no mails: see NOTIFICATION_TOPICS in the contract.
alter table merchant add column muted_topics text[] not null default '{}';
