import { NOTHING, type RowCheck, withoutRows } from '../../core/money/ledger/index.ts'

/** A verification leaves only its journal and a wallet entry. */
export const verificationChecks: readonly RowCheck[] = [
  { name: 'verification', run: async () => NOTHING, owned: [withoutRows('verification/')] },
]
