-- A payment may be opened by an app, in place of a site.
alter table checkout_frame
  drop constraint checkout_frame_origin_check,
  add constraint checkout_frame_origin_check check (origin ~ '^(https?://[^/]+|app:[A-Za-z0-9._-]+)$');
