import { monotonic } from '../../kernel/clock.ts'
import { hidden } from '../../kernel/hidden.ts'
import { addressSet } from '../../platform/addresses.ts'
import type { Channels } from '../../platform/channels.ts'
import type { Environment } from '../../platform/config.ts'
import { lane } from '../../platform/lanes.ts'
import { API_KEY_PREFIXES } from '../environment.ts'
import { type Price, selectOwnPrices, selectStandardPrices } from '../money/pricing/index.ts'
import type { Keyring } from '../security/keyring.ts'
import { type UnitOfWork, type UnitOfWorkDeps, unitOfWork } from '../unit-of-work.ts'
import type { Merchant } from './merchant.ts'
import {
  findByApiKeys,
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
/** Read again after so long, whatever was heard: a change that nobody told of counts then. */
const KEPT_MILLISECONDS_MAX = 300_000

/** Who the merchants are, kept in memory: every request asks, hardly any changes them. */
export interface MerchantDirectory {
  readonly byId: (id: bigint) => Promise<Merchant | undefined>
  /** The same, where it is in memory: so that most requests need not wait at all. */
  readonly known: (id: bigint) => Merchant | undefined
  readonly byApiKey: (apiKey: string) => Promise<Merchant | undefined>
  /** Changes a merchant, or what all go by, and forgets what was known of it: here at once, on every other node on commit. */
  readonly change: <T>(which: bigint | 'all', work: (unit: UnitOfWork) => T | Promise<T>) => Promise<T>
}

/** Something that was read from the database, or is being read, and since when. */
interface Kept<T> {
  readonly loading: Promise<T>
  readonly readAt: number
}

interface KeptMerchant extends Kept<Merchant | undefined> {
  /** Once it has been read. */
  merchant?: Merchant
}

/** Whether something can still be relied on: it is young, and its changes would have been heard. */
const isFresh = (channels: Channels, { readAt }: Kept<unknown>): boolean =>
  monotonic() - readAt <= KEPT_MILLISECONDS_MAX && channels.vouchesFor(readAt)

interface Deps extends UnitOfWorkDeps {
  readonly environment: Environment
  readonly channels: Channels
  readonly keyring: Keyring
}

export async function openDirectory(deps: Deps): Promise<MerchantDirectory> {
  const { db, clock, channels } = deps
  /** What everybody is charged, once somebody asked. */
  let standard: Kept<readonly Price[]> | undefined
  const kept = new Map<bigint, KeptMerchant>()
  const findByApiKey = apiKeyLane(deps)

  function standardPrices(): Kept<readonly Price[]> {
    if (standard !== undefined && isFresh(channels, standard)) return standard
    const entry = { loading: selectStandardPrices(db, clock.now()), readAt: monotonic() }
    standard = entry
    entry.loading.catch(() => {
      if (standard === entry) standard = undefined // a failed read must not be remembered
    })
    return entry
  }

  function find(id: bigint): KeptMerchant | undefined {
    const entry = kept.get(id)
    return entry !== undefined && isFresh(channels, entry) ? entry : undefined
  }

  function byId(id: bigint): Promise<Merchant | undefined> {
    const known = find(id)
    if (known !== undefined) return known.loading
    if (kept.size >= MERCHANTS_KEPT_MAX) kept.clear()
    const prices = standardPrices()
    const loading = selectMerchant(db, id).then((row) => row && readMerchant(deps, row, prices.loading))
    const entry: KeptMerchant = { loading, readAt: prices.readAt } // as old as its oldest part
    kept.set(id, entry)
    const drop = (): void => {
      if (kept.get(id) === entry) kept.delete(id)
    }
    loading.then((merchant) => {
      if (merchant === undefined) drop()
      else entry.merchant = merchant
    }, drop) // a failed read must not be remembered
    return loading
  }

  function forget(which: bigint | 'all'): void {
    if (which !== 'all') return void kept.delete(which)
    kept.clear()
    standard = undefined
  }

  await channels.hear(CHANNEL, {
    onWord: (word) => forget(word === 'all' ? 'all' : BigInt(word)),
    onMissed: () => forget('all'),
  })

  return {
    byId,
    known: (id) => find(id)?.merchant,
    byApiKey: async (apiKey) => {
      const id = await findByApiKey(apiKey)
      return id === undefined ? undefined : byId(id)
    },
    change: async (which, work) => {
      const result = await unitOfWork(deps, async (unit) => {
        const worked = await work(unit)
        notifyMerchantChanged(unit.tx, CHANNEL, which)
        return worked
      })
      forget(which)
      return result
    },
  }
}

/**
 * Finds whose an API key is, many with one statement. Each is asked for: a remembered key would be answered sooner than an
 * unknown one, and so tell that it exists.
 */
const apiKeyLane = ({ db, environment }: Deps): ((apiKey: string) => Promise<bigint | undefined>) =>
  lane({
    name: 'api key',
    setsMax: 1,
    run: async (apiKeys: readonly string[]) => {
      const found = await findByApiKeys(db, apiKeys)
      // A database may hold keys of the other environment from before it was stamped: here they open nothing.
      return found.map((id, index) => (apiKeys[index]?.startsWith(API_KEY_PREFIXES[environment]) ? id : undefined))
    },
  })

/** A merchant with all that requests need of it. */
async function readMerchant(
  { db, clock, keyring }: Deps,
  row: MerchantRow,
  standardPrices: Promise<readonly Price[]>,
): Promise<Merchant> {
  const [contracts, subAccounts, secrets, own, standard] = await Promise.all([
    selectContracts(db, row.id),
    selectSubAccounts(db, row.id),
    selectSecrets(db, row.id),
    selectOwnPrices(db, row.id, clock.now()),
    standardPrices,
  ])
  return {
    ...row,
    isWhitelisted: addressSet(row.ipWhitelist),
    contracts: new Map(contracts.map((contract) => [contract.code, contract])),
    subAccounts: new Map(subAccounts.map((subAccount) => [subAccount.code, subAccount])),
    secrets: secrets.map(({ id, sealed, createdAt, firstUsedAt, expiresAt }) => ({
      id,
      createdAt,
      key: hidden(keyring.open(sealed, secretContext(row.id))),
      firstUsedAt,
      expiresAt,
    })),
    prices: { own, standard },
  }
}
