import { NOTHING, type RowQuestion, withoutRows } from '../../core/money/ledger/index.ts'

/** A verification leaves nothing but its journal and a line of the wallet. */
export const verificationQuestions: readonly RowQuestion[] = [
  { name: 'verification', ask: async () => NOTHING, owned: [withoutRows('verification/')] },
]
