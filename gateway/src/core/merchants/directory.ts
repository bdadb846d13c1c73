import { hidden } from '../../kernel/hidden.ts'
import { addressSet } from '../../platform/addresses.ts'
import type { Channels } from '../../platform/channels.ts'
import type { Keyring } from '../keyring.ts'
import { type UnitOfWork, type UnitOfWorkDeps, unitOfWork } from '../unit-of-work.ts'
import type { Merchant } from './merchant.ts'
import {
  type MerchantRow,
  notifyMerchantChanged,
  selectContracts,
  selectMerchant,
  selectSecrets,
} from './repository.ts'
import { secretContext } from './secrets.ts'
import { selectSubAccounts } from './sub-accounts.ts'

const CHANNEL = 'merchant_changed'
const MERCHANTS_KEPT_MAX = 10_000

/** Who the merchants are, kept in memory: every request asks, hardly any changes them. */
export interface MerchantDirectory {
  readonly byId: (id: bigint) => Promise<Merchant | undefined>
  /** The same, where it is in memory: so that most requests need not wait at all. */
  readonly known: (id: bigint) => Merchant | undefined
  readonly byApiKey: (apiKey: string) => Promise<Merchant | undefined>
  /** Changes a merchant and forgets what was known of it, here at once and on every other node on commit. */
  readonly change: <T>(id: bigint, work: (unit: UnitOfWork) => T | Promise<T>) => Promise<T>
}

interface Deps extends UnitOfWorkDeps {
  readonly channels: Channels
  readonly keyring: Keyring
}

export async function openDirectory(deps: Deps): Promise<MerchantDirectory> {
  const { db, channels, keyring } = deps
  const kept = new Map<bigint, { readonly loading: Promise<Merchant | undefined>; merchant?: Merchant }>()

  async function load(row: MerchantRow | undefined): Promise<Merchant | undefined> {
    if (row === undefined) return undefined
    const [contracts, subAccounts, secrets] = await Promise.all([
      selectContracts(db, row.id),
      selectSubAccounts(db, row.id),
      selectSecrets(db, row.id),
    ])
    return {
      ...row,
      isWhitelisted: addressSet(row.ipWhitelist),
      contracts: new Map(contracts.map((contract) => [contract.code, contract])),
      subAccounts: new Map(subAccounts.map((subAccount) => [subAccount.code, subAccount])),
      secrets: secrets.map(({ id, sealed, firstUsedAt, expiresAt }) => ({
        id,
        key: hidden(keyring.open(sealed, secretContext(row.id))),
        firstUsedAt,
        expiresAt,
      })),
    }
  }

  function byId(id: bigint): Promise<Merchant | undefined> {
    const known = kept.get(id)
    if (known !== undefined) return known.loading
    if (kept.size >= MERCHANTS_KEPT_MAX) kept.clear()
    const loading = selectMerchant(db, { id }).then(load)
    const entry: { readonly loading: typeof loading; merchant?: Merchant } = { loading }
    kept.set(id, entry)
    const forget = (): void => {
      if (kept.get(id) === entry) kept.delete(id)
    }
    loading.then((merchant) => {
      if (merchant === undefined) forget()
      else entry.merchant = merchant
    }, forget) // a failed read must not be remembered
    return loading
  }

  await channels.hear(CHANNEL, {
    onWord: (id) => kept.delete(BigInt(id)),
    onMissed: () => kept.clear(),
  })

  return {
    byId,
    known: (id) => kept.get(id)?.merchant,
    // Asked each time: a remembered key would be answered sooner than an unknown one, and so tell that it exists.
    byApiKey: async (apiKey) => {
      const row = await selectMerchant(db, { apiKey })
      return row === undefined ? undefined : byId(row.id)
    },
    change: async (id, work) => {
      const result = await unitOfWork(deps, async (unit) => {
        const worked = await work(unit)
        notifyMerchantChanged(unit.tx, CHANNEL, id)
        return worked
      })
      kept.delete(id)
      return result
    },
  }
}
