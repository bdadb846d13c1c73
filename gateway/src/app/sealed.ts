import { sealedAnswers } from '../core/edge/idempotency.ts'
import { sealedSecrets } from '../core/merchants/index.ts'
import { sealedConflicts } from '../core/money/credits/index.ts'
import { sealedWallets } from '../core/money/wallet-balances/index.ts'
import type { SealedColumn } from '../core/security/sealed-column.ts'
import { sealedCards } from '../core/security/vault.ts'
import { sealedAttempts } from '../features/cards/index.ts'
import { sealedTransfers } from '../features/disbursements/index.ts'
import { sealedDisputes } from '../features/disputes/index.ts'
import { sealedPaycodes } from '../features/paycodes/index.ts'
import { sealedReservedAccounts } from '../features/reserved-accounts/index.ts'
import { sealedSecondFactors } from '../features/sign-in/index.ts'

/** Everything that is encrypted in the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...sealedSecrets,
  ...sealedWallets,
  ...sealedConflicts,
  ...sealedReservedAccounts,
  ...sealedTransfers,
  ...sealedPaycodes,
  ...sealedDisputes,
  ...sealedAnswers,
  ...sealedCards,
  ...sealedAttempts,
  ...sealedSecondFactors,
]
