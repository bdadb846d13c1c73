-- The roles of the database, as docs/operations.md has them. Change the passwords here and in compose.yaml.
create role kobo_program login password 'change-program';
create role kobo_vault login password 'change-vault';
