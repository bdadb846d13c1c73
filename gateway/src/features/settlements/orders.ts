import type { Core } from '../../core/core.ts'
import { type Destination, selectDestinations } from '../../core/merchants/index.ts'
import { NOT_CARRIED_OUT, type OrderMaker, type OrderRow, type Orders, type OrdersOf } from '../../core/orders/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import { concludePayouts } from './conclude.ts'
import { inFlightOf } from './journals.ts'
import type { PayoutToSend } from './payout-to-send.ts'
import { type PayoutRow, selectPayoutsByKey, selectSettlementsByKey, setDestination } from './repository.ts'

/** Creates the order that sends a payout. Payout and order have the same id. */
export const payoutOrder = (orders: OrderMaker, payout: PayoutRow, at: Date): OrderRow =>
  orders.newOrder(
    {
      merchantId: payout.merchantId,
      id: payout.id,
      purpose: 'settlement-payout',
      subjectId: payout.id,
      reference: `KFST${payout.id}`,
      slot: `transfer/${payout.bankCode}`,
      amount: payout.amount,
      holds: { account: inFlightOf(payout), amount: payout.amount },
      sentBy: 'worker',
    },
    at,
  )

interface Deps {
  readonly core: Core
  readonly orders: Orders
}

export const payoutOrders = ({ core, orders }: Deps): OrdersOf<PayoutToSend, FoundTransfer> =>
  orders.define<PayoutToSend, FoundTransfer>({
    purpose: 'settlement-payout',
    subjects: (_, placed) => readPayouts(core, placed),
    send: async ({ reference }, { payout, settlement, merchant, currentAccount }, rails) => {
      const destination = currentAccount ?? payout
      const { bankCode, accountNumber, accountName } = destination
      // The destination is stored before sending, so that it is known even if the owner changes it meanwhile.
      await unitOfWork(core, async ({ tx }) => setDestination(tx, payout, destination))
      return rails.transfer.send({
        reference,
        amount: payout.amount,
        destination: { bankCode, accountNumber, accountName },
        narration: `Settlement ${settlement.settlementReference}`,
        sender: {
          name: merchant.name,
          accountNumber: merchant.walletAccountNumber,
          bankCode: merchant.walletBankCode,
          bvn: null,
        },
      })
    },
    query: ({ reference, amount }, _, { transfer }) => transfer.find(reference, amount),
    found: {
      succeeded: ({ sessionId = '' }) => ({ kind: 'succeeded', sessionId }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: concludePayouts,
  })

/** Reads payouts with their senders and their beneficiaries' current bank accounts. */
async function readPayouts({ db, directory }: Core, placed: readonly OrderRow[]): Promise<readonly PayoutToSend[]> {
  const rows = await selectPayoutsByKey(db, placed)
  const ofSubAccounts = rows.filter(({ beneficiaryType }) => beneficiaryType === 'SUB_ACCOUNT')
  const [settlements, subAccounts] = await Promise.all([
    selectSettlementsByKey(
      db,
      rows.map(({ merchantId, settlementId }) => ({ merchantId, id: settlementId })),
    ),
    selectDestinations(
      db,
      ofSubAccounts.map(({ merchantId, beneficiaryCode }) => ({ merchantId, code: beneficiaryCode })),
    ),
  ])
  return Promise.all(
    placed.map(async ({ id, merchantId }): Promise<PayoutToSend> => {
      const payout = rows.find((row) => row.id === id)
      const settlement = settlements.find((row) => row.id === payout?.settlementId)
      const merchant = await directory.byId(merchantId)
      const contract = settlement && merchant?.contracts.get(settlement.contractCode)
      invariant(payout && settlement && merchant && contract, 'a payout belongs to a settlement, by a contract')
      const subAccount = subAccounts.find((row) => row.merchantId === merchantId && row.code === payout.beneficiaryCode)
      const isMerchants = payout.beneficiaryType === 'MERCHANT'
      return {
        payout,
        settlement,
        merchant,
        cycle: contract.settlement === 'INSTANT' ? 'INSTANT' : contract.settlementTime,
        currentAccount: isMerchants ? bankAccountOf(contract) : subAccount,
        reportEmails: isMerchants ? [] : (subAccount?.settlementReportEmails ?? []),
      }
    }),
  )
}

/** Returns the bank account that a contract settles to, if any. */
function bankAccountOf(contract: {
  readonly settlementBankCode: string | null
  readonly settlementAccountNumber: string | null
  readonly settlementAccountName: string | null
}): Destination | undefined {
  const { settlementBankCode: bankCode, settlementAccountNumber: accountNumber, settlementAccountName } = contract
  return bankCode === null || accountNumber === null
    ? undefined
    : { bankCode, accountNumber, accountName: settlementAccountName ?? '' }
}
