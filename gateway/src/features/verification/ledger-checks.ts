import { NOTHING, type RowCheck, withoutRows } from '../../core/money/ledger/index.ts'

/** A verification stores only its journal and a wallet entry, so there are no rows to check. */
export const verificationChecks: readonly RowCheck[] = [
  { name: 'verification', run: async () => NOTHING, owned: [withoutRows('verification/')] },
]
