-- The database roles of docs/operate/database.md. Change the passwords here and in compose.yaml.
create role kobo_program login password 'change-program';
create role kobo_vault login password 'change-vault';
