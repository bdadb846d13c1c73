/** How money moves: `transfers` pays out, `funding` is the sandbox's test money, `own` is the operator's own money. */
export const RAILS = ['bank-transfer', 'card', 'direct-debit', 'cash', 'transfers', 'bills', 'funding', 'own'] as const
