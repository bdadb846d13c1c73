/**
 * The rails, by name: `transfers` is for payouts, `funding` for the sandbox's test money, `own` for the operator's own
 * money.
 */
export const RAILS = ['bank-transfer', 'card', 'direct-debit', 'cash', 'transfers', 'bills', 'funding', 'own'] as const
