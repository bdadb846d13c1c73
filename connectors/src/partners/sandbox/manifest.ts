import type { Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import software from '../../../package.json' with { type: 'json' }

/** The code of a bank that the sandbox cannot reach. Transfers to it are never sent. */
export const UNREACHED_BANK = '999'

/** The largest amount of one transfer, in kobo: a hundred billion naira. */
export const AMOUNT_MAX = 10_000_000_000_000

export const sandboxManifest = (code: string, capabilities: readonly string[] | undefined): Manifest => ({
  ...SANDBOX_MANIFEST,
  partner: { code, name: code === 'sandbox' ? 'Sandbox' : `Sandbox ${code}` },
  capabilities: SANDBOX_MANIFEST.capabilities.filter((word) => capabilities?.includes(word) ?? true),
})

export const SANDBOX_MANIFEST: Manifest = {
  protocol: 2,
  partner: { code: 'sandbox', name: 'Sandbox' },
  software: `${software.name} ${software.version}`,
  simulated: true,
  capabilities: [
    'transfers',
    'name-enquiry',
    'cards',
    'card-refunds',
    'debits',
    'billers',
    'identity',
    'credits',
    'outcomes',
    'returns',
    'prefix-accounts',
    'issued-accounts',
  ],
  limits: { amountMin: 1, amountMax: AMOUNT_MAX },
  trial: {
    amount: 10_000,
    transfer: {
      bankCode: '058',
      accountNumber: '0123456789',
      refusedAccountNumber: '0123456001',
      unknownAccountNumber: '0123456002',
      unreachedBankCode: UNREACHED_BANK,
    },
    card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2099', cvv: '123', pin: '1234' },
    debit: { bankCode: '058', accountNumber: '0123456789', mandateCode: 'TRIAL' },
    bill: { productCode: 'MTN-AIRTIME', customerId: '08142223149' },
    credit: { bankCode: '035', accountNumber: '0000000000' },
    bvn: '22222222226',
    account: { bankCode: '232' },
  },
}
