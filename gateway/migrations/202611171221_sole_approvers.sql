-- A merchant's last approver does not release their own payouts right after they have removed the others.

alter table membership
  -- Business time. Before then the member does not approve their own payouts, even as the only approver.
  add column sole_from timestamptz;
