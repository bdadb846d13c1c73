import type { ListName, Reply, Route } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import { done, masked, type Serve } from '../../core/edge/http/index.ts'
import { lockMerchant, updateMerchant } from '../../core/merchants/index.ts'
import { readChoices, writeChoice } from '../../core/messages/notification-choices.ts'
import { balancesOfPeriod, walletBalances } from '../../core/money/wallet-balances/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import { audit } from '../../core/security/audit.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { refusals } from '../../kernel/errors.ts'
import { add, naira, toNaira } from '../../kernel/money.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import type { ListPage } from '../../platform/postgres/list-search.ts'
import { findRecipients } from '../disbursements/index.ts'
import { getLink, selectLinkTransactions } from '../payment-links/index.ts'
import { type ProofDeps, receiptProver } from '../receipts/index.ts'
import { type CheckoutLinks, transactionReads } from '../transactions/index.ts'
import { readCustomer } from './customer.ts'
import { exportOf } from './export.ts'
import { readAttention, readHome, readTotals } from './home.ts'
import { type ListQuery, type Reader, readList, withRefunds } from './lists.ts'
import type { LiveUpdates } from './live-updates.ts'
import { searchAll } from './search.ts'
import { recipient } from './show.ts'
import { createTill, listTills, readTill, setCashiers, watchedTill } from './tills.ts'
import { readTimeline } from './timeline.ts'
import type { Hours } from './totals.ts'
import { readWebhookHealth } from './webhook-health.ts'

interface Deps extends ProofDeps {
  readonly core: Core
  readonly hours: Hours
  readonly liveUpdates: LiveUpdates
  readonly links: CheckoutLinks
  readonly virtualAccounts: VirtualAccounts
}

const personErrors = refusals(contract.personRefusals)

const checks = new Map<ListName, ReturnType<typeof compileCheck>>()

/** Rejects a query that the list itself would reject. */
function checkQuery(list: ListName, query: unknown): void {
  const check = checks.get(list) ?? compileCheck(contract.LISTS[list].query, 'query')
  checks.set(list, check)
  const wrong = check(query)
  if (wrong !== undefined) throw wrong
}

function tillRoutes(serve: Serve, { liveUpdates: { ofTill }, ...deps }: Omit<Deps, 'hours' | 'links'>): void {
  const prove = receiptProver(deps)
  serve(contract.createTill, ({ body }, { merchant, person, by }) => createTill(deps, merchant, person, body, by))
  serve(contract.listTills, async (_, { merchant, person }) => ({ tills: await listTills(deps, merchant, person) }))
  serve(contract.getTill, ({ params, query }, { merchant, person }) =>
    readTill({ ...deps, prove }, merchant, person, params.tillReference, query.date ?? undefined),
  )
  serve(contract.watchTill, async ({ params }, { merchant, person }) => {
    const { id, read } = await watchedTill(deps, merchant, person, params.tillReference)
    return ofTill(merchant, person, id, read)
  })
  serve(contract.setCashiers, ({ params, body }, { merchant, person, by }) =>
    done(setCashiers(deps, merchant, person, params.tillReference, body.cashiers, by)),
  )
}

export function dashboardRoutes(serve: Serve, { core, hours, liveUpdates, links, ...given }: Deps): void {
  const { db, clock } = core
  serve(contract.exportList, async ({ params: { list }, query }, { merchant, person, by }) => {
    if (!person.may(contract.LISTS[list].person)) throw personErrors.roleNotAllowed()
    checkQuery(list, query)
    const at = clock.now()
    await unitOfWork(core, async (unit) =>
      audit(unit, {
        ...by,
        merchantId: merchant.id,
        act: 'export.make',
        reference: list,
        details: masked(contract.exportList.query, query),
      }),
    )
    return exportOf({ db: core.readDb, merchant, at }, list, query)
  })

  serve(contract.hearHints, async ({ params: { list } }, { merchant, person }) => {
    if (!person.may(contract.LISTS[list].person)) throw personErrors.roleNotAllowed()
    return liveUpdates.of(merchant, person, list)
  })

  tillRoutes(serve, { core, liveUpdates, ...given })
  for (const name of Object.keys(contract.LISTS) as ListName[]) listRoute(serve, core, name)

  serve(contract.getStatementBalances, async ({ query }, { merchant }) => {
    const { accountNumber = merchant.walletAccountNumber, from, to } = query
    const { opening, closing } = await balancesOfPeriod(
      db,
      { merchantId: merchant.id, accountNumber },
      {
        from: from === undefined ? undefined : fromMoment(from),
        to: to === undefined ? undefined : throughMoment(to),
      },
    )
    return { openingBalance: toNaira(opening), closingBalance: toNaira(closing) }
  })

  serve(contract.getLinkPayments, ({ params }, { merchant }) =>
    readLinkPayments({ db, merchant, at: clock.now() }, params.linkReference),
  )

  serve(contract.getCustomer, ({ params }, { merchant }) =>
    readCustomer({ db, merchant, at: clock.now() }, params.customerEmail),
  )

  serve(contract.getHome, (_, { merchant, person }) => readHome({ db, hours }, merchant, clock.now(), person))

  ownRoutes(serve, core)
  notificationRoutes(serve, core)

  serve(contract.getTotals, ({ query }, { merchant }) => {
    const at = clock.now()
    const to = query.to === undefined ? at : (throughMoment(query.to) ?? at)
    return readTotals(hours, merchant, { from: fromMoment(query.from) ?? at, to, at })
  })

  serve(contract.search, ({ query: { text, to, size = contract.SEARCH_SIZE_MAX } }, { merchant, person }) =>
    searchAll({ db, merchant, may: person.may, to: to === undefined ? undefined : throughMoment(to), size }, text),
  )

  serve(contract.getTransactionTimeline, ({ params }, { merchant }) =>
    readTimeline({ db, merchant, at: clock.now() }, links, params.transactionReference),
  )
}

/** How many transactions a link's total includes at most, and how many its page shows. */
const LINK_PAYMENTS_SUMMED_MAX = 5_000
const LINK_PAYMENTS_SHOWN = 20

async function readLinkPayments(
  { db, merchant }: Reader,
  linkReference: string,
): Promise<Reply<typeof contract.getLinkPayments>> {
  const link = await getLink(db, merchant.id, linkReference)
  const ids = await selectLinkTransactions(db, link, LINK_PAYMENTS_SUMMED_MAX + 1)
  const newest = ids.slice(0, LINK_PAYMENTS_SHOWN).map((id) => ({ merchantId: merchant.id, id }))
  const [total, rows] = await Promise.all([
    transactionReads.paidTotal(db, merchant.id, ids.slice(0, LINK_PAYMENTS_SUMMED_MAX)),
    transactionReads.byKeys(db, newest),
  ])
  const ordered = rows.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const page = await withRefunds(db, merchant, { rows: ordered, next: undefined, searchedBackTo: undefined })
  return {
    payments: total.count,
    amount: toNaira(total.amount),
    isPartial: ids.length > LINK_PAYMENTS_SUMMED_MAX,
    newest: [...page.rows],
  }
}

/** Serves the merchant's own accounts, fees and webhook URLs. */
function ownRoutes(serve: Serve, { db, clock }: Core): void {
  serve(contract.getOwnAccounts, async (_, { merchant, person }) => {
    const balance = await walletBalances(db, {
      merchantId: merchant.id,
      accountNumber: merchant.walletAccountNumber,
    })
    return {
      at: clock.now().toISOString(),
      walletAccountNumber: merchant.walletAccountNumber,
      available: balance !== undefined && person.may('balances.read') ? toNaira(balance.available) : null,
      contracts: [...merchant.contracts.values()].map(({ code, name }) => ({ code, name })),
    }
  })

  serve(contract.getWebhookHealth, (_, { merchant }) => readWebhookHealth({ db, merchant, at: clock.now() }))

  serve(contract.findRecipients, async ({ query: { text } }, { merchant }) => {
    const rows = await findRecipients(db, merchant.id, text?.trim() || undefined, contract.RECIPIENTS_MAX)
    return { recipients: rows.map(recipient) }
  })

  serve(contract.getTransferFee, async ({ query: { amount } }, { merchant: { prices } }) => {
    const sent = naira(amount)
    const fee = priceOn(prices, 'transfer', sent, clock.now())
    return { fee: toNaira(fee), total: toNaira(add(sent, fee)) }
  })
}

/** Whether a user gets no mails about a topic. Only approvers get mails about approvals. */
const hasNoMail = (topic: contract.NotificationTopic, person: SignedIn): boolean =>
  topic === 'APPROVALS' && !person.may('payout.approve')

const isOfCompany = (topic: contract.NotificationTopic): boolean => contract.COMPANY_TOPICS.some((one) => one === topic)

function notificationRoutes(serve: Serve, core: Core): void {
  const { db, clock } = core
  serve(contract.getNotifications, async (_, { merchant, person }) => ({
    items: await readAttention(db, merchant, clock.now(), person),
  }))

  serve(contract.getNotificationChoices, async (_, { merchant, person }) => ({
    choices: (await readChoices(db, merchant.id, person.personId))
      .filter(({ topic }) => person.may(contract.TOPIC_PERMISSIONS[topic]))
      .map(({ topic, onScreen, byMail }) => ({
        topic,
        isOnScreen: onScreen,
        isByMail: hasNoMail(topic, person) ? null : byMail,
        isToCompany:
          person.may(contract.chooseCompanyMails.person) && isOfCompany(topic)
            ? !merchant.mutedTopics.includes(topic)
            : null,
      })),
  }))

  serve(contract.chooseCompanyMails, ({ params: { topic }, body: { isOn } }, { merchant: { id }, by }) =>
    done(
      core.directory.change(id, async (unit) => {
        const merchant = await lockMerchant(unit.tx, id)
        const others = (merchant?.mutedTopics ?? []).filter((one) => one !== topic)
        updateMerchant(unit.tx, id, { mutedTopics: isOn ? others : [...others, topic] })
        audit(unit, { ...by, merchantId: id, act: 'company-mail.choose', details: { topic, isOn } })
      }),
    ),
  )

  serve(contract.chooseNotifications, ({ params: { topic }, body }, { merchant, person, by }) =>
    done(
      unitOfWork(core, async (unit) => {
        const change = { onScreen: body.isOnScreen, byMail: body.isByMail }
        writeChoice(unit.tx, { merchantId: merchant.id, personId: person.personId, topic }, change)
        audit(unit, { ...by, merchantId: merchant.id, act: 'notification.choose', details: { topic, ...change } })
      }),
    ),
  )
}

/** Serves a list; all lists are read in the same way. */
function listRoute<N extends ListName>(serve: Serve, { db, readDb, clock }: Core, name: N): void {
  const route: Route & { readonly access: 'person'; readonly person: contract.PersonPermission } = contract.LISTS[name]
  serve(route, async (input, { merchant }) => {
    const { query } = input as { readonly query: ListQuery<N> }
    // The first page has the latest rows, which a replica may not have yet.
    const from = 'before' in query && query.before !== undefined ? readDb : db
    return showPage(await readList({ db: from, merchant, at: clock.now() }, name, query))
  })
}

const showPage = <Item>({ rows, next, searchedBackTo }: ListPage<Item>): Reply<Route> => ({
  items: rows,
  next: next === undefined ? null : String(next),
  searchedBackTo: searchedBackTo?.toISOString() ?? null,
})
