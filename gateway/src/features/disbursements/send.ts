import { WALLET_BANK } from '../../core/banks/index.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type Db, inTransaction, optimistic } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Payer } from '../../rails/bank.ts'
import type { Rails } from '../../rails/index.ts'
import { type FoundTransfer, TRANSFER_SECONDS_MAX } from '../../rails/transfer.ts'
import { type LeasedTransfer, leaseTransfers, type TransferRow } from './repository.ts'
import { ASK_AGAIN_SECONDS, isPending, type Outcome, settleOutcomes } from './settle.ts'

/** Longer than a rail may take to answer, twice: when it has passed, whoever was sending is dead and another may ask. */
const LEASE_SECONDS = 3 * TRANSFER_SECONDS_MAX
const UNDER_WAY_MAX = 128

/** Sends transfers that are accepted and authorised, and learns what became of them. */
export interface Transfers extends Worker {
  /** Sends a transfer whose lease the caller holds; answers it as it is then. */
  readonly send: (transfer: TransferRow) => Promise<TransferRow>
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly wall: Clock
  readonly ids: IdSource
  readonly keyring: Keyring
  readonly directory: MerchantDirectory
  readonly rails: Pick<Rails, 'transfer'>
  readonly metrics: Metrics
  readonly log: Log
  readonly pokeDelivery: () => void
}

export const bvnContext = ({ merchantId, id }: Pick<TransferRow, 'merchantId' | 'id'>): string =>
  `transfer-sender-bvn/${merchantId}/${id}`

export function openTransfers(deps: Deps): Transfers {
  const { db, clock, wall, ids, keyring, directory, metrics, log } = deps
  const rail = deps.rails.transfer

  const settle = metrics.lane({
    name: 'transfer outcome',
    setsMax: 1, // one large set costs less than two that wait for each other's accounts
    run: async (outcomes: readonly Outcome[]) => {
      const settled = await optimistic(outcomes.filter(isPending), (trusted) =>
        inTransaction(db, (tx) => settleOutcomes(tx, ids, clock.now(), outcomes, trusted)),
      )
      deps.pokeDelivery()
      return settled
    },
  })

  /** Sends a transfer, asking for the name of the account first where nobody has given it. */
  async function sendNamed(transfer: TransferRow): Promise<Omit<Outcome, 'transfer'>> {
    const account = { bankCode: transfer.destinationBankCode, accountNumber: transfer.destinationAccountNumber }
    let accountName = transfer.destinationAccountName
    if (accountName === null) {
      const enquiry = await rail.nameEnquiry(account)
      // Nothing has been sent, so it can fail without a doubt.
      if (enquiry.kind !== 'found') return { found: { kind: 'failed', reason: UNNAMED[enquiry.kind] } }
      accountName = enquiry.accountName
    }
    const found = await rail.send({
      reference: transfer.transactionReference,
      amount: transfer.amount,
      destination: { ...account, accountName },
      narration: transfer.narration,
      sender: await senderOf(transfer),
    })
    return { found, destinationAccountName: accountName }
  }

  async function senderOf(transfer: TransferRow): Promise<Payer> {
    const { senderInfo, senderBvn } = transfer
    const merchant = directory.known(transfer.merchantId) ?? (await directory.byId(transfer.merchantId))
    return {
      name: senderInfo?.sourceAccountName ?? merchant?.name ?? null,
      accountNumber: senderInfo?.sourceAccountNumber ?? transfer.sourceAccountNumber,
      bankCode: senderInfo?.senderBankCode ?? WALLET_BANK.code,
      bvn: senderBvn === null ? null : keyring.open(Buffer.from(senderBvn, 'base64'), bvnContext(transfer)),
    }
  }

  async function carryOut(transfer: LeasedTransfer): Promise<void> {
    // Whoever had it before may have sent it and died before it could say so.
    const earlier: FoundTransfer = transfer.wasHandedOver
      ? await rail.find(transfer.transactionReference)
      : { kind: 'not found' }
    const mustSend = earlier.kind === 'not found' && transfer.status === 'PENDING'
    await settle({ transfer, ...(mustSend ? await sendNamed(transfer) : { found: earlier }) })
  }

  const lease = (limit: number): Promise<readonly LeasedTransfer[]> => {
    const wallAt = wall.now()
    return leaseTransfers(db, { at: clock.now(), wallAt, leasedUntil: secondsAfter(wallAt, LEASE_SECONDS), limit })
  }

  return {
    ...worker({ tasks: 'transfers to send', log, underWayMax: UNDER_WAY_MAX, lease, carryOut }),
    send: async (transfer) => settle({ transfer, ...(await sendNamed(transfer)) }),
  }
}

/** A transfer that its holder sends now: nobody else looks at it unless the holder dies. */
export const handedOver = (transfer: TransferRow, at: Date, wallAt: Date): TransferRow => ({
  ...transfer,
  dueAt: secondsAfter(at, ASK_AGAIN_SECONDS),
  leasedUntil: secondsAfter(wallAt, LEASE_SECONDS),
  isHandedOver: true,
})

const UNNAMED = {
  'not found': 'The bank has no such account',
  unavailable: 'The account could not be verified: its bank does not answer',
} as const
