import { createHmac, createSecretKey } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit } from '../../core/security/audit.ts'
import { DELETION_SECONDS, type Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import { invariant, type Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import {
  addDecline,
  block,
  countRecentAttempts,
  type DeclineCount,
  deleteOldCounts,
  selectBlocked,
} from './decline-repository.ts'
import { cardErrors } from './errors.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

interface Rule {
  /** After this many declines in the window, charges with the same attribute are blocked until it ends. */
  readonly declines: number
  readonly seconds: number
  /** Blocks only if this percentage of recent charges was declined: a large merchant always has many declines. */
  readonly percent?: number
}

/**
 * The limits after which declines look like card testing. An honest payer is declined a few times a day, and many
 * payers may share an IP address. Only declines are counted. A rule with a percentage also reads the recent attempts.
 */
export const RULES = {
  address: { declines: 30, seconds: DAY_SECONDS },
  card: { declines: 20, seconds: DAY_SECONDS },
  bin: { declines: 50, seconds: HOUR_SECONDS, percent: 80 },
  merchant: { declines: 100, seconds: HOUR_SECONDS, percent: 60 },
} as const satisfies Readonly<Record<string, Rule>>
type Scope = keyof typeof RULES

/** After the limit is reached, a rule with a percentage reads the attempts again at every Nth further decline. */
const READ_AGAIN_EVERY = 10
const BLOCKED_KEYS_MAX = 100_000
const HASH_LENGTH = 32
const CHANNEL = 'card_declines'

/** The attributes that a charge may share with other charges. */
export interface ChargeAttributes {
  readonly merchantId: bigint
  readonly bin: string
  /** The card's number; absent when an OTP is sent, since the number is no longer known then. */
  readonly number?: Hidden<string>
  /** The payer's IP address; absent if the merchant's server calls. */
  readonly payerAddress?: string | undefined
}

/** Stops card testing: counts declines over all nodes, and rejects charges after too many. */
export interface DeclineGuard {
  /** Returns the error if this charge is blocked now. It needs no query. */
  readonly check: (tried: ChargeAttributes) => Refusal | undefined
  readonly count: (tried: ChargeAttributes) => Promise<void>
  readonly sweeps: readonly Sweep[]
}

/** A guard that neither counts nor blocks. */
const NO_GUARD: DeclineGuard = { check: () => undefined, count: async () => {}, sweeps: [] }

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly isOn: boolean
}

export async function openDeclineGuard({ core, metrics, isOn }: Deps): Promise<DeclineGuard> {
  if (!isOn) return NO_GUARD
  const { db, clock, keyring } = core
  const keysOf = openKeys(createSecretKey(keyring.derive('card declines')))
  const blocked = await openBlocked(core)

  async function isTooMany(
    scope: Scope,
    counted: DeclineCount,
    { merchantId, bin }: ChargeAttributes,
  ): Promise<boolean> {
    const { declines, seconds, percent }: Rule = RULES[scope]
    if (counted.declines < declines) return false
    if (percent === undefined) return true
    if ((counted.declines - declines) % READ_AGAIN_EVERY !== 0) return false
    const since = secondsAfter(counted.windowEnds, -seconds)
    const recent = await countRecentAttempts(db, merchantId, scope === 'bin' ? bin : null, since)
    return recent.declined * 100 >= recent.all * percent
  }

  return {
    check: (tried) => {
      if (blocked.isEmpty()) return undefined
      const held = keysOf(tried).find(({ key }) => blocked.has(key))
      if (held === undefined) return undefined
      metrics.heldCharge(held.scope)
      return cardErrors.paused()
    },
    count: async (tried) => {
      const now = clock.now()
      const scopes = new Map(keysOf(tried).map(({ key, scope }) => [key, scope]))
      const rows = [...scopes].map(([key, scope]) => ({ key, windowEnds: windowEnd(now, RULES[scope].seconds) }))
      for (const counted of await inOneQuery(db, (tx) => addDecline(tx, rows))) {
        const scope = scopes.get(counted.key)
        invariant(scope !== undefined, 'only requested keys are counted')
        if (await isTooMany(scope, counted, tried)) await blocked.add(scope, counted, tried.merchantId)
      }
    },
    sweeps: [
      {
        name: 'delete old decline counts',
        run: (at, limit) => inOneQuery(db, (tx) => deleteOldCounts(tx, at, limit)),
        everySeconds: DELETION_SECONDS,
      },
    ],
  }
}

/** Opens the blocked keys. They are in the database, and in memory on every node, so that a charge needs no query. */
async function openBlocked(core: Core) {
  const { db, clock, channels } = core
  /** When the block ends, in Unix milliseconds, by key. */
  const ends = new Map<string, number>()
  function remember(key: string, until: number): void {
    const [oldest] = ends.size >= BLOCKED_KEYS_MAX ? ends.keys() : []
    if (oldest !== undefined) ends.delete(oldest)
    ends.set(key, until)
  }
  const loadAll = async (): Promise<void> => {
    for (const { key, windowEnds } of await selectBlocked(db, clock.now(), BLOCKED_KEYS_MAX))
      remember(key, windowEnds.getTime())
  }
  await channels.subscribe(CHANNEL, {
    onMessage: (message) => {
      const [until = '', key = ''] = message.split(' ')
      remember(key, Number(until))
    },
    onMissed: () => void loadAll().catch(() => {}), // the connection was lost again: the next one calls this again
  })
  await loadAll()

  return {
    isEmpty: (): boolean => ends.size === 0,
    has: (key: string): boolean => (ends.get(key) ?? 0) > clock.now().getTime(),
    add: async (scope: Scope, counted: DeclineCount, merchantId: bigint): Promise<void> => {
      const { key, windowEnds } = counted
      await unitOfWork(core, async (unit) => {
        if (!(await block(unit.tx, counted, CHANNEL, `${windowEnds.getTime()} ${key}`))) return
        audit(unit, { merchantId, act: 'cards.pause', actor: 'gateway', details: { scope, until: windowEnds } })
        if (scope === 'merchant' || scope === 'bin') notify(unit, [pauseNotice(merchantId, scope, windowEnds)])
      })
      remember(key, windowEnds.getTime())
    },
  }
}

/** Returns a function that lists the keys under which a charge is counted. */
function openKeys(secret: ReturnType<typeof createSecretKey>) {
  const hashed = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, HASH_LENGTH)
  return ({ merchantId, bin, number, payerAddress }: ChargeAttributes): readonly { scope: Scope; key: string }[] => [
    { scope: 'merchant', key: `merchant:${merchantId}` },
    { scope: 'bin', key: `bin:${merchantId}:${bin}` },
    ...(number === undefined ? [] : [{ scope: 'card', key: `card:${hashed(`card ${number.reveal()}`)}` } as const]),
    ...(payerAddress === undefined
      ? []
      : [{ scope: 'address', key: `address:${hashed(`address ${networkOf(payerAddress)}`)}` } as const]),
  ]
}

const windowEnd = (at: Date, seconds: number): Date => {
  const milliseconds = seconds * 1_000
  return new Date((Math.floor(at.getTime() / milliseconds) + 1) * milliseconds)
}

const pauseNotice = (merchantId: bigint, scope: 'merchant' | 'bin', until: Date) => ({
  merchantId,
  subject: 'Card payments paused: too many declines',
  text: [
    'Hello,',
    '',
    scope === 'merchant'
      ? 'Most card payments to you in the last hour were declined.'
      : 'Most card payments to you in the last hour with cards of one issuer were declined.',
    'This pattern is typical of stolen-card testing, so we charge',
    `${scope === 'merchant' ? 'no cards' : 'no cards of that issuer'} until ${displayMoment(until)}. Other payment methods work as usual.`,
    '',
    'If you know the reason, please contact us.',
    '',
  ].join('\n'),
})
