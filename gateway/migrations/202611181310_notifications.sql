-- Which notifications a team member gets, where they differ from the default. Topics are those of the contract.
create table notification_choice (
  merchant_id bigint  not null references merchant,
  person_id   bigint  not null references person,
  topic       text    not null,
  -- In the dashboard's header and on Home.
  on_screen   boolean not null,
  by_mail     boolean not null,
  primary key (merchant_id, person_id, topic)
);

-- Set until the notice was copied to the team members who want mails of its topic.
alter table notice add column topic text;

create index dispute_open on dispute (merchant_id) where status = 'OPEN';
