import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Payouts } from '../approvals/index.ts'
import { codeVault } from './code.ts'
import { sealedPaycodes } from './encrypted-columns.ts'
import { paycodeChecks } from './ledger-checks.ts'
import { expireAll } from './repository.ts'
import { paycodeRoutes } from './routes.ts'
import { paycodePayouts, paycodeSweeps } from './service.ts'

/** Cash payouts collected with a code. */
export const paycodeFeature = {
  ledgerChecks: paycodeChecks,
  encryptedColumns: sealedPaycodes,
  closing: [expireAll],
  open: ({ core, payouts }: { readonly core: Core; readonly payouts: Payouts }) => {
    const vault = codeVault(core.keyring)
    payouts.define('PAYCODE', paycodePayouts(vault))
    return { routes: (serve) => paycodeRoutes(serve, { core, vault }), sweeps: paycodeSweeps(core) }
  },
} satisfies Feature
