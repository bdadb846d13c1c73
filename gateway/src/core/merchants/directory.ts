import type { CompatSetting } from '@kobo/contract'
import { monotonic } from '../../kernel/clock.ts'
import { hidden } from '../../kernel/hidden.ts'
import type { Environment } from '../../platform/config/config.ts'
import { addressSet } from '../../platform/http/ip-addresses.ts'
import { lane } from '../../platform/lanes/lane.ts'
import type { Channels } from '../../platform/postgres/channels.ts'
import { API_KEY_PREFIXES } from '../environment.ts'
import { type Price, selectOwnPrices, selectStandardPrices } from '../pricing/index.ts'
import type { Keyring } from '../security/keyring.ts'
import { type UnitOfWork, type UnitOfWorkDeps, unitOfWork } from '../unit-of-work.ts'
import { endpointSecrets, selectAdditionalEndpoints } from './additional-endpoints.ts'
import type { Merchant } from './merchant.ts'
import {
  findByApiKeys,
  type MerchantRow,
  notifyMerchantChanged,
  selectContracts,
  selectMerchant,
  selectSecrets,
} from './repository.ts'
import { restrictedKeyOf, selectRestrictedKeys } from './restricted-keys.ts'
import { secretContext } from './secrets.ts'
import { selectSubAccounts } from './sub-accounts.ts'

const CHANNEL = 'merchant_changed'
const MERCHANTS_CACHED_MAX = 10_000
/** Cached values are read again after this time, in case a change was not announced. */
const CACHED_MILLISECONDS_MAX = 300_000

/** The merchants, cached in memory: every request needs one, and they rarely change. */
export interface MerchantDirectory {
  readonly byId: (id: bigint) => Promise<Merchant | undefined>
  /** Returns a merchant without waiting, if it is cached. */
  readonly known: (id: bigint) => Merchant | undefined
  readonly byApiKey: (apiKey: string) => Promise<Merchant | undefined>
  /** Changes one merchant, or all, in a transaction. Its commit invalidates the cache on every node. */
  readonly change: <T>(which: bigint | 'all', work: (unit: UnitOfWork) => T | Promise<T>) => Promise<T>
}

/** A cached value, which may still be loading, and when it was read. */
interface Cached<T> {
  readonly loading: Promise<T>
  readonly readAt: number
}

interface CachedMerchant extends Cached<Merchant | undefined> {
  /** Set once the merchant is loaded. */
  merchant?: Merchant
}

/** Whether a cached value is current: it is not too old, and any change would have been announced. */
const isFresh = (channels: Channels, { readAt }: Cached<unknown>): boolean =>
  monotonic() - readAt <= CACHED_MILLISECONDS_MAX && channels.isCurrent(readAt)

interface Deps extends Omit<UnitOfWorkDeps, 'directory'> {
  /** The rules relaxed for every merchant of a sandbox. */
  readonly compat: readonly CompatSetting[]
  readonly environment: Environment
  readonly channels: Channels
  readonly keyring: Keyring
}

export async function openDirectory(deps: Deps): Promise<MerchantDirectory> {
  const { db, clock, channels } = deps
  /** The standard prices, once read. */
  let standard: Cached<readonly Price[]> | undefined
  const cached = new Map<bigint, CachedMerchant>()
  const findByApiKey = apiKeyLane(deps)

  function standardPrices(): Cached<readonly Price[]> {
    if (standard !== undefined && isFresh(channels, standard)) return standard
    const entry = { loading: selectStandardPrices(db, clock.now()), readAt: monotonic() }
    standard = entry
    entry.loading.catch(() => {
      if (standard === entry) standard = undefined // a failed read is not cached
    })
    return entry
  }

  function find(id: bigint): CachedMerchant | undefined {
    const entry = cached.get(id)
    return entry !== undefined && isFresh(channels, entry) ? entry : undefined
  }

  function byId(id: bigint): Promise<Merchant | undefined> {
    const known = find(id)
    if (known !== undefined) return known.loading
    if (cached.size >= MERCHANTS_CACHED_MAX) cached.clear()
    const prices = standardPrices()
    const loading = selectMerchant(db, id).then((row) => row && readMerchant(deps, row, prices.loading))
    const entry: CachedMerchant = { loading, readAt: prices.readAt } // as old as the prices in it
    cached.set(id, entry)
    const drop = (): void => {
      if (cached.get(id) === entry) cached.delete(id)
    }
    loading.then((merchant) => {
      if (merchant === undefined) drop()
      else entry.merchant = merchant
    }, drop) // a failed read is not cached
    return loading
  }

  function forget(which: bigint | 'all'): void {
    if (which !== 'all') return void cached.delete(which)
    cached.clear()
    standard = undefined
  }

  await channels.subscribe(CHANNEL, {
    onMessage: (word) => forget(word === 'all' ? 'all' : BigInt(word)),
    onMissed: () => forget('all'),
  })

  const known = (id: bigint): Merchant | undefined => find(id)?.merchant
  return {
    byId,
    known,
    byApiKey: async (apiKey) => {
      const id = await findByApiKey(apiKey)
      return id === undefined ? undefined : byId(id)
    },
    change: async (which, work) => {
      const result = await unitOfWork({ ...deps, directory: { known } }, async (unit) => {
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
 * Finds the merchants of API keys, many with one query. Never cached: a cached key would get a response faster than an
 * unknown one and so reveal that it exists.
 */
const apiKeyLane = ({ db, environment }: Deps): ((apiKey: string) => Promise<bigint | undefined>) =>
  lane({
    name: 'api key',
    batchesMax: 1,
    run: async (apiKeys: readonly string[]) => {
      const found = await findByApiKeys(db, apiKeys)
      // A database may contain API keys of the other environment, from before it was bound to this one: they are not
      // valid here.
      return found.map((id, index) => (apiKeys[index]?.startsWith(API_KEY_PREFIXES[environment]) ? id : undefined))
    },
  })

/** Reads a merchant with everything that a request needs. */
async function readMerchant(
  { db, clock, keyring, compat }: Deps,
  row: MerchantRow,
  standardPrices: Promise<readonly Price[]>,
): Promise<Merchant> {
  const [contracts, subAccounts, secrets, keys, endpoints, own, standard] = await Promise.all([
    selectContracts(db, row.id),
    selectSubAccounts(db, row.id),
    selectSecrets(db, row.id),
    selectRestrictedKeys(db, row.id),
    selectAdditionalEndpoints(db, row.id),
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
    restrictedKeys: new Map(keys.map((key) => [key.id, restrictedKeyOf(key)])),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpointSecrets(keyring, endpoint)])),
    prices: { own, standard },
    compat: [...new Set([...row.compat, ...compat])],
  }
}
