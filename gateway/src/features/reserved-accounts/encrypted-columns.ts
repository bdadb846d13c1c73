import { sealedColumn } from '../../core/security/sealed-column.ts'
import { contextOf } from './identity.ts'
import { reservedAccounts } from './repository.ts'

/** BVNs and NINs of account holders and of allowed payers. */
export const sealedReservedAccounts = [
  sealedColumn('records', reservedAccounts, 'bvn', (row) => contextOf(row, 'bvn')),
  sealedColumn('records', reservedAccounts, 'nin', (row) => contextOf(row, 'nin')),
  sealedColumn('records', reservedAccounts, 'allowedPaymentSources', (row) =>
    contextOf(row, 'allowed-payment-sources'),
  ),
]
