/**
 * Where each table's rows are if merchants are distributed by Citus. On one PostgreSQL it makes no difference. A test
 * compares it with the schema.
 */

/** Merchants' rows, each on its merchant's shard. */
export const DISTRIBUTED: readonly string[] = [
  // Ledger and wallets.
  'account',
  'balance_change',
  'journal',
  'move',
  'wallet',
  'wallet_entry',
  'top_up',
  'ledger_proof',
  'hourly_total',
  'hourly_outcome',
  'hours_summed',
  'list_mark',
  // Collections.
  'transaction',
  'payment',
  'rejected_payment',
  'checkout_frame',
  'card_attempt',
  'limit_profile',
  'reserved_account',
  'limit_usage',
  'invoice',
  'mandate',
  'mandate_token',
  'debit',
  'credit_return',
  'credit_cost',
  'refund',
  'refund_part',
  'dispute',
  'dispute_file',
  'merchant_debt',
  'debt_repayment',
  'reserve_lot',
  'merchant_charge',
  // Payouts.
  'transfer_batch',
  'transfer',
  'transfer_authorization',
  'transfer_code_guard',
  'approval_request',
  'approval',
  'paycode',
  'bill_validation',
  'bill_vend',
  'settlement',
  'settlement_item',
  'settlement_payout',
  // Requests to partners, and events for merchants.
  'rail_order',
  'order_decision',
  'webhook_endpoint',
  'event',
  'event_attempt',
  'event_bodies_dropped',
  'notice',
  // Stored requests.
  'idempotency_key',
  'request_log',
]

/** Copied to every server: joined by queries on merchants' rows. Rarely written. */
export const REFERENCE: readonly string[] = ['environment', 'merchant'] // a merchant's trigger reads the environment

/** On the coordinator only. */
export const LOCAL: readonly string[] = [
  // Directories that find a merchant.
  'virtual_account',
  'earlier_account',
  'credit_name',
  'dispute_name',
  'open_paycode',
  'payment_link',
  'account_request', // numbers about to be in the directory
  // Merchants' terms and settings, cached in memory.
  'merchant_secret',
  'restricted_key',
  'contract',
  'sub_account',
  'price',
  'merchant_logo',
  'seeded_history',
  // One chain over all merchants.
  'audit',
  'audit_unsealed',
  'audit_seal',
  // The vault, with its own roles and columns.
  'vault.card_on_file',
  // For manual review, over all merchants.
  'credit_conflict',
  'operator_change',
  'statement_account',
  'statement_file',
  'statement_balance',
  'statement_line',
  'reconciliation_item',
  'reconciliation_entry',
  'reconciliation_decision',
  'reconciliation_day',
  'partner_price',
  'sandbox_mail',
  // Users.
  'person',
  'membership',
  'session',
  'device',
  'password',
  'second_factor',
  'backup_code',
  'sign_in_link',
  'passkey_challenge',
  'operator_token',
  'sign_on',
  'sign_on_identity',
  'sign_on_attempt',
  'approval_policy_change',
  'report_choice',
  'settlement_report',
  // The installation's own.
  'schema_migration',
  'data_key',
  'resealing',
  'node',
  'elected',
  'business_clock',
  'account_source',
  'bank',
  'routing_table',
  'partner_report',
  'partner_protocol',
  'card_decline_count',
  'shared_limit',
  'inline_script',
  'ledger_last_clean',
  'simulated_entry',
]
